/**
 * Records the responses of a real kube-apiserver: node test/clients/record.ts --kubeconfig FILE [SCENARIO...]
 * Each scenario needs a server without other clients, on which it has not run before.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clientsFolder } from './clients-folder.ts';
import { clientRecordings } from './recordings.ts';
import { runScenario } from './run-scenario.ts';
import { loadScenarios } from './scenario.ts';
import { formatOutcome } from './transcript.ts';

const { values, positionals } = parseArgs({ options: { kubeconfig: { type: 'string' } }, allowPositionals: true });
if (values.kubeconfig === undefined) throw new Error('no server to record; set --kubeconfig FILE');

const kubectl = (...args: string[]): string =>
  execFileSync(join(clientsFolder, 'kubectl'), ['--kubeconfig', values.kubeconfig ?? '', ...args], {
    encoding: 'utf8',
  });
const { clientVersion, serverVersion } = JSON.parse(kubectl('version', '-o', 'json')) as {
  clientVersion: { gitVersion: string };
  serverVersion: { gitVersion: string };
};
// A recording of our own responses would prove nothing.
if (serverVersion.gitVersion.includes('flotilla')) throw new Error('the server is Flotilla; record a kube-apiserver');

const target = {
  kubeconfig: readFileSync(values.kubeconfig, 'utf8'),
  url: kubectl('config', 'view', '--minify', '-o', 'jsonpath={.clusters[0].cluster.server}'),
  needsPauses: true,
};
const origin = `kube-apiserver ${serverVersion.gitVersion}, kubectl ${clientVersion.gitVersion}`;
for (const scenario of loadScenarios()) {
  if (positionals.length > 0 && !positionals.includes(scenario.name)) continue;
  const started = Date.now();
  const outcomes = await runScenario(scenario, target);
  clientRecordings.save(scenario, { origin, blocks: outcomes.map(formatOutcome) });
  console.log(`${scenario.name}: ${outcomes.length} commands in ${Date.now() - started} ms`);
}
