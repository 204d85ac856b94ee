/** The plugin as kubectl calls it: by its name, in a process of its own, with the user's kubeconfig. */
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { clusterResourcePlacements, memberClusters } from '@flotilla/api';
import { startFleet, type RunningFleet } from '@flotilla/fleet';
import { apiVersionOf, namespaces, type KubeObject } from '@flotilla/kube';
import { launcher, runFlotilla, Scratch } from '../flotilla-process.ts';

describe('kubectl fleet', { timeout: 60_000 }, () => {
  const scratch = new Scratch();
  const command = scratch.file('kubectl-fleet');
  let fleet: RunningFleet;
  before(async () => {
    symlinkSync(launcher, command);
    fleet = await startFleet({ members: 1 });
    writeFileSync(scratch.file('kubeconfig'), fleet.kubeconfig);
  });
  after(async () => {
    await fleet.stop();
    scratch[Symbol.dispose]();
  });
  const run = (...args: string[]): ReturnType<typeof runFlotilla> =>
    runFlotilla(args, { command, env: { ...process.env, KUBECONFIG: scratch.file('kubeconfig') } });

  /** Resolves when the resources have arrived. */
  async function placed(name: string): Promise<void> {
    const hub = await fleet.hub.client();
    const kind = clusterResourcePlacements;
    const spec = { resourceSelectors: [{ group: '', version: 'v1', kind: 'Namespace', name: 'web' }] };
    await hub.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } });
    await hub.create<KubeObject>(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name }, spec });
    const watching = new AbortController();
    for await (const { object } of hub.watch(kind, { resourceVersion: '0', signal: watching.signal })) {
      const { conditions = [] } = object.status ?? {};
      if (conditions.some(({ type, status }) => type.endsWith('Applied') && status === 'True')) break;
    }
    watching.abort();
    await hub.close();
  }

  test('prints its version as KubeFleet does', async () => {
    const { code, stdout } = await run('version');
    assert.deepEqual([code, stdout], [0, 'kubectl-fleet 0.1.0 (unknown)\n']);
  });

  test('drains a cluster over the network, and lets it back', async () => {
    await placed('web');
    const drained = await run('drain', 'member-1', '--context', 'hub', '--timeout', '15s');
    assert.deepEqual(drained, {
      code: 0,
      stdout: [
        'membercluster/member-1 cordoned',
        'evicting clusterresourceplacement/web',
        'clusterresourceplacement/web evicted',
        'membercluster/member-1 drained\n',
      ].join('\n'),
      stderr: '',
    });
    const flags = ['--hub-cluster-context', 'hub', '--cluster-name', 'member-1'];
    assert.equal((await run('uncordoncluster', ...flags)).stdout, 'uncordoned member cluster member-1\n');
    const hub = await fleet.hub.client();
    assert.deepEqual((await hub.get(memberClusters, { name: 'member-1' })).spec.taints ?? [], []);
    await hub.close();
  });

  test('says what is wrong, without a stack trace, and exits with 1', async () => {
    const { code, stderr } = await run('runs', '--context', 'nowhere');
    assert.equal(code, 1);
    assert.match(stderr, /^error: .*nowhere.*\n$/);
    const missing = await run('rollback', 'never', '--hub-cluster-context', 'hub');
    assert.deepEqual([missing.code, missing.stdout], [1, '']);
    assert.match(missing.stderr, /^error: .*"never" not found\.\n$/);
  });
});
