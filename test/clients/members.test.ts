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
    await kubectl('wait', 'service/web', '--for=jsonpath={.status.loadBalancer.ingress[0].ip}', '--timeout=30s');
    assert.match(await kubectl('get', 'service', 'web'), /198\.1[89]\.\d+\.\d+/);
    await kubectl('create', 'job', 'once', '--image=busybox');
    assert.match(await kubectl('wait', 'job/once', '--for=condition=Complete'), /condition met/);
    const elsewhere = await run('kubectl', '--context', 'rome', 'get', 'deployments,jobs', '-o', 'name');
    assert.equal(elsewhere, '');
  });

  test('kubectl rolls a Deployment out, back, on hold and anew', kubectlIs, async () => {
    const kubectl = (...args: string[]): Promise<string> => run('kubectl', '--context', 'oslo', ...args);
    const rollout = (verb: string, ...args: string[]): Promise<string> =>
      kubectl('rollout', verb, 'deployment/site', ...args);
    const imageOf = (): Promise<string> =>
      kubectl('get', 'deployment', 'site', '-o', 'jsonpath={.spec.template.spec.containers[0].image}');
    await kubectl('create', 'deployment', 'site', '--image=nginx:1', '--replicas=3');
    await kubectl('annotate', 'deployment/site', 'kubernetes.io/change-cause=the first');
    await rollout('status', '--timeout=30s');
    await kubectl('set', 'image', 'deployment/site', '*=nginx:2');
    await kubectl('annotate', 'deployment/site', 'kubernetes.io/change-cause=the second', '--overwrite');
    assert.match(await rollout('status', '--timeout=30s'), /successfully rolled out/);
    assert.match(await rollout('history'), /^1 +the first\n2 +the second$/m);
    assert.match(await rollout('history', '--revision=1'), /Image:\s+nginx:1$/m);
    await rollout('undo');
    await rollout('status', '--timeout=30s');
    assert.equal(await imageOf(), 'nginx:1');
    assert.match(await rollout('history'), /^2 +the second\n3 +the first$/m);

    await rollout('pause');
    await kubectl('set', 'image', 'deployment/site', '*=nginx:3');
    await kubectl('scale', 'deployment/site', '--replicas=4');
    await kubectl('wait', 'deployment/site', '--for=jsonpath={.status.availableReplicas}=4', '--timeout=30s');
    assert.equal((await kubectl('get', 'replicasets', '-l', 'app=site', '-o', 'name')).split('\n').length, 2);
    await rollout('resume');
    await rollout('status', '--timeout=30s');
    assert.match(await kubectl('get', 'deployment', 'site', '-o', 'wide'), /4\/4 +4 +4 .* nginx:3 /);
    await rollout('restart');
    await rollout('status', '--timeout=30s');
    assert.match(await rollout('history'), /^5 +the first$/m);
    assert.match(await kubectl('describe', 'deployment', 'site'), /Scaled up replica set site-\w+ from 0 to/);
  });

  test('Helm installs and removes a chart', helmIs, async () => {
    const helm = (...args: string[]): Promise<string> => run('helm', '--kube-context', 'rome', '-n', 'port', ...args);
    await helm('install', 'harbor', chart, '--create-namespace', '--wait', '--timeout', '30s');
    assert.match(await helm('list'), /^harbor\s+port\s+1\s+.*deployed/m);
    await helm('uninstall', 'harbor', '--wait', '--timeout', '30s');
    assert.doesNotMatch(await helm('list'), /harbor/);
  });
});
