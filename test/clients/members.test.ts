/** Ordinary clients on embedded members, whose URL has a path. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startFleet, type RunningFleet } from '@flotilla/fleet';
import { availability } from '@flotilla/testkit';
import { Scratch } from '../flotilla-process.ts';
import { clientsFolder, missingClient } from './clients-folder.ts';

const kubectlIs = availability('kubectl', missingClient('kubectl'));
const helmIs = availability('helm', missingClient('helm', 'helm'));
const chart = join(import.meta.dirname, 'fixtures/chart');

describe('on an embedded member', { timeout: 120_000 }, () => {
  let scratch: Scratch;
  let fleet: RunningFleet;
  before(async () => {
    scratch = new Scratch();
    fleet = await startFleet({ members: ['oslo', 'rome'] });
    writeFileSync(scratch.file('kubeconfig'), fleet.kubeconfig, { mode: 0o600 });
  });
  after(async () => {
    await fleet.stop();
    scratch[Symbol.dispose]();
  });

  async function run(client: string, ...args: string[]): Promise<string> {
    const env = { HOME: scratch.path, KUBECONFIG: scratch.file('kubeconfig'), PATH: '/usr/bin:/bin' };
    const { stdout } = await promisify(execFile)(join(clientsFolder, client), args, { env, timeout: 60_000 });
    return stdout.trim();
  }

  test('kubectl finds kinds and OpenAPI documents, and sees workloads become available', kubectlIs, async () => {
    const kubectl = (...args: string[]): Promise<string> => run('kubectl', '--context', 'oslo', ...args);
    assert.match(await kubectl('explain', 'deployment.spec.replicas'), /FIELD: replicas <integer>/);
    assert.match(await kubectl('get', 'nodes'), /^node-1 +Ready/m);
    await kubectl('create', 'deployment', 'web', '--image=nginx', '--replicas=2');
    assert.match(await kubectl('rollout', 'status', 'deployment/web'), /successfully rolled out/);
    await kubectl('expose', 'deployment', 'web', '--type=LoadBalancer', '--port=80');
    assert.match(await kubectl('get', 'service', 'web'), /198\.18\.\d+\.\d+/);
    await kubectl('create', 'job', 'once', '--image=busybox');
    assert.match(await kubectl('wait', 'job/once', '--for=condition=Complete'), /condition met/);
    const elsewhere = await run('kubectl', '--context', 'rome', 'get', 'deployments,jobs', '-o', 'name');
    assert.equal(elsewhere, '');
  });

  test('Helm installs and removes a chart', helmIs, async () => {
    const helm = (...args: string[]): Promise<string> => run('helm', '--kube-context', 'rome', '-n', 'port', ...args);
    await helm('install', 'harbor', chart, '--create-namespace', '--wait', '--timeout', '30s');
    assert.match(await helm('list'), /^harbor\s+port\s+1\s+.*deployed/m);
    await helm('uninstall', 'harbor', '--wait', '--timeout', '30s');
    assert.doesNotMatch(await helm('list'), /harbor/);
  });
});
