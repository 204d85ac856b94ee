/** PodDisruptionBudgets on a real server in memory; the test acts as kubelet. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type JsonObject, type KubeObject } from '@flotilla/kube';
import { startTestCluster, type TestCluster } from '../cluster.testing.ts';
import { kinds, type Pod } from '../kinds.ts';
import { replicaSetController } from '../replica-sets/controller.ts';
import { disruptionController } from './controller.ts';
import { staleDisruptionController } from './stale-disruption.ts';

describe('a PodDisruptionBudget', () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await startTestCluster([replicaSetController, disruptionController, staleDisruptionController]);
  });
  after(() => cluster.stop());

  const containers = [{ name: 'web', image: 'nginx' }];
  const createSet = (app: string, replicas: number) =>
    cluster.create(kinds.replicaSet, app, {
      replicas,
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers } },
    });
  const createBudget = (app: string, spec: JsonObject) =>
    cluster.create(kinds.disruptionBudget, app, { selector: { matchLabels: { app } }, ...spec });
  const podsOf = async (app: string): Promise<readonly Pod[]> =>
    (await cluster.livePods()).filter(({ metadata }) => metadata.labels?.['app'] === app);
  const makeReady = async (app: string): Promise<void> => {
    for (const { metadata } of await podsOf(app)) {
      const conditions = [{ type: 'Ready', status: 'True' }];
      await cluster.patch(kinds.pod, metadata.name ?? '', { status: { phase: 'Running', conditions } }, 'status');
    }
  };
  const statusOf = async (app: string) => {
    const { conditions = [], ...counts } = (await cluster.get(kinds.disruptionBudget, app)).status ?? {};
    return { counts, reason: `${conditions[0]?.status} ${conditions[0]?.reason}`, message: conditions[0]?.message };
  };
  const evict = async ({ metadata }: Pod): Promise<void> => {
    const { name = '', namespace = '' } = metadata;
    const eviction: KubeObject = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
    await cluster.client.create(kinds.pod, eviction, { subresource: 'eviction' });
    await cluster.rest();
  };

  test('allows as many disruptions as more pods are ready than it wants', async () => {
    await createSet('web', 4);
    await createBudget('web', { minAvailable: 3 });
    const counts = { observedGeneration: 1, expectedPods: 4, desiredHealthy: 3 };
    const none = { ...counts, disruptionsAllowed: 0, currentHealthy: 0 };
    assert.deepEqual(await statusOf('web'), { counts: none, reason: 'False InsufficientPods', message: '' });
    await makeReady('web');
    const one = { ...counts, disruptionsAllowed: 1, currentHealthy: 4 };
    assert.deepEqual(await statusOf('web'), { counts: one, reason: 'True SufficientPods', message: '' });
  });

  test('lets one pod be evicted, and the next when another is ready', async () => {
    const [first, second] = await podsOf('web');
    assert.ok(first !== undefined && second !== undefined);
    await evict(first);
    assert.equal((await podsOf('web')).length, 4);
    await assert.rejects(evict(second), /Cannot evict pod as it would violate the pod's disruption budget/);
    await makeReady('web');
    await evict(second);
    const { disruptedPods, disruptionsAllowed } = (await statusOf('web')).counts;
    assert.deepEqual({ disruptedPods, disruptionsAllowed }, { disruptedPods: undefined, disruptionsAllowed: 0 });
  });

  test('reckons with what the controllers of the pods want, if it is a share or a number of unavailable pods', async () => {
    await createSet('share', 4);
    await makeReady('share');
    await createBudget('share', { minAvailable: '30%' });
    const status = {
      observedGeneration: 1,
      expectedPods: 4,
      desiredHealthy: 2,
      currentHealthy: 4,
      disruptionsAllowed: 2,
    };
    assert.deepEqual((await statusOf('share')).counts, status);
    await cluster.remove(kinds.disruptionBudget, 'share');
    await createBudget('share', { maxUnavailable: 1 });
    assert.deepEqual((await statusOf('share')).counts, { ...status, desiredHealthy: 3, disruptionsAllowed: 1 });
  });

  test('reports pods without a controller, and fails safe on controllers without a scale', async () => {
    await createBudget('alone', { maxUnavailable: 1 });
    assert.deepEqual(await cluster.eventsAbout('alone'), ['NoPods: No matching pods found']);
    await cluster.create(kinds.pod, 'alone', { containers }, { labels: { app: 'alone' } });
    const events = await cluster.eventsAbout('alone');
    const selector =
      '&LabelSelector{MatchLabels:map[string]string{app: alone,},MatchExpressions:[]LabelSelectorRequirement{},}';
    assert.ok(
      events.some((event) =>
        event.startsWith(
          `UnmanagedPods: Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As`,
        ),
      ),
    );
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'x', uid: 'x', controller: true };
    await cluster.create(kinds.pod, 'other', { containers }, { labels: { app: 'alone' }, ownerReferences: [owner] });
    const { reason, message, counts } = await statusOf('alone');
    assert.equal(counts.disruptionsAllowed, 0);
    assert.deepEqual(
      [reason, message],
      ['False SyncFailed', 'daemonsets.apps does not implement the scale subresource'],
    );
  });

  test('forgets an eviction whose pod is still there after two minutes', async () => {
    await createSet('stuck', 2);
    await makeReady('stuck');
    await createBudget('stuck', { minAvailable: 1 });
    const [pod] = await podsOf('stuck');
    const { name = '' } = pod?.metadata ?? {};
    const time = new Date(cluster.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const disruption = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      lastTransitionTime: time,
    };
    const conditions = [{ type: 'Ready', status: 'True' }, disruption];
    await cluster.patch(kinds.pod, name, { status: { conditions } }, 'status');
    await cluster.patch(kinds.disruptionBudget, 'stuck', { status: { disruptedPods: { [name]: time } } }, 'status');
    assert.equal((await statusOf('stuck')).counts.currentHealthy, 1);
    await cluster.clock.advance(125_000);
    await cluster.rest();
    const { currentHealthy, disruptedPods } = (await statusOf('stuck')).counts;
    assert.deepEqual({ currentHealthy, disruptedPods }, { currentHealthy: 2, disruptedPods: undefined });
    assert.ok(
      (await cluster.eventsAbout(name)).some((event) => event.startsWith('NotDeleted: Pod was expected by PDB')),
    );
    const { status } = await cluster.get(kinds.pod, name);
    assert.equal(status?.conditions?.find(({ type }) => type === 'DisruptionTarget')?.status, 'False');
  });

  test('writes nothing at rest', async () => {
    const before = cluster.revision();
    await cluster.clock.advance(3_600_000);
    await cluster.rest();
    assert.equal(cluster.revision(), before);
  });
});
