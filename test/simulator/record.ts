/**
 * Records what the controllers of kube-controller-manager write: node test/simulator/record.ts --kubeconfig FILE [SCENARIO...]
 * The server has no other client.
 */
import { parseArgs } from 'node:util';
import { readJsonObject } from '@flotilla/client';
import { playScenario } from './play-scenario.ts';
import { connectCluster } from './recorded-cluster.ts';
import { recordings } from './recordings.ts';
import { loadScenarios, type Scenario } from './scenario.ts';

const maxConcurrent = 16;

const { values, positionals } = parseArgs({ options: { kubeconfig: { type: 'string' } }, allowPositionals: true });
if (values.kubeconfig === undefined) throw new Error('no server to record; set --kubeconfig FILE');
const cluster = await connectCluster(values.kubeconfig);
const { body } = await cluster.client.request({ method: 'GET', path: '/version' });
const { gitVersion: version } = readJsonObject(body) as { gitVersion: string };
// A recording of our own controllers would prove nothing.
if (version.includes('flotilla')) throw new Error('the server is Flotilla; record kube-controller-manager');

const run = Date.now().toString(36);
const isChosen = ({ name }: Scenario): boolean => positionals.length === 0 || positionals.includes(name);
const chosen = loadScenarios().filter(isChosen);
let failures = 0;

async function record(scenario: Scenario): Promise<void> {
  const started = Date.now();
  try {
    const blocks = await playScenario(scenario, cluster, `${scenario.name}-${run}`);
    // The scenario expects pods that do not exist.
    if (blocks.some((block) => block.includes('\n= no pod can become'))) console.error(blocks.join('\n\n'));
    recordings.save(scenario, { origin: `kube-controller-manager ${version}`, blocks });
    console.log(`${scenario.name}: ${blocks.length} steps in ${Date.now() - started} ms`);
  } catch (error) {
    failures++;
    console.error(`${scenario.name}:`, error);
  }
}

async function recordAll(scenarios: readonly Scenario[], concurrent: number): Promise<void> {
  const waiting = scenarios.values();
  const lane = async (): Promise<void> => {
    for (const scenario of waiting) await record(scenario);
  };
  await Promise.all(Array.from({ length: concurrent }, lane));
}

await recordAll(
  chosen.filter(({ isAlone }) => !isAlone),
  maxConcurrent,
);
await recordAll(
  chosen.filter(({ isAlone }) => isAlone),
  1,
);
await cluster.stop();
process.exitCode = failures === 0 ? 0 : 1;
