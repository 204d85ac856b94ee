/** Deployments on a real server in memory; the test acts as scheduler and kubelet. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatTime, type JsonObject } from '@flotilla/kube';
import { startTestCluster, type TestCluster } from '../cluster.testing.ts';
import { podTemplateHash } from '../hash/pod-template-hash.ts';
import { kinds, type Deployment, type Pod, type ReplicaSet } from '../kinds.ts';
import { replicaSetController } from '../replica-sets/controller.ts';
import { deploymentController } from './controller.ts';

describe('a Deployment', () => {
  let cluster: TestCluster;

  before(async () => {
    cluster = await startTestCluster([replicaSetController, deploymentController]);
  });
  after(() => cluster.stop());

  const template = (app: string, image: string): JsonObject => ({
    metadata: { labels: { app } },
    spec: { containers: [{ name: 'web', image }] },
  });

  const create = (name: string, replicas: number, spec: JsonObject = {}, annotations: Record<string, string> = {}) =>
    cluster.create(
      kinds.deployment,
      name,
      { replicas, selector: { matchLabels: { app: name } }, template: template(name, 'web:1'), ...spec },
      { annotations },
    );
  const change = (name: string, value: JsonObject) => cluster.patch(kinds.deployment, name, value);
  const setImage = (name: string, image: string) => change(name, { spec: { template: template(name, image) } });
  const imageOf = (object: Pod | undefined) => object?.spec?.containers?.[0]?.image ?? '';
  const setsOf = async (name: string): Promise<readonly ReplicaSet[]> =>
    (await cluster.list(kinds.replicaSet)).filter(({ metadata }) => metadata.labels?.['app'] === name);

  /** The sizes of its ReplicaSets by image, as far as they are not 0. */
  async function sizesOf(name: string): Promise<Record<string, number>> {
    const all = (await setsOf(name)).map(({ spec }) => [imageOf(spec?.template as Pod), spec?.replicas ?? 1] as const);
    return Object.fromEntries(all.filter(([, size]) => size > 0));
  }

  /** Makes pods with this image ready until there are no more. */
  async function makeReady(name: string, image: string): Promise<void> {
    const conditions = [
      { type: 'Ready', status: 'True', lastTransitionTime: formatTime(new Date(cluster.clock.now())) },
    ];
    const isWaiting = (pod: Pod) => imageOf(pod) === image && pod.status?.phase === 'Pending';
    for (;;) {
      const waiting = (await cluster.livePods()).filter(
        (pod) => pod.metadata.labels?.['app'] === name && isWaiting(pod),
      );
      if (waiting.length === 0) return;
      const value = { status: { phase: 'Running', conditions } };
      for (const { metadata } of waiting) {
        const key = { namespace: 'default', name: metadata.name ?? '' };
        await cluster.client.patch(kinds.pod, key, { type: 'merge', value }, { subresource: 'status' });
      }
      await cluster.rest();
    }
  }

  async function conditionsOf(name: string): Promise<string[]> {
    const { status } = await cluster.get(kinds.deployment, name);
    return (status?.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);
  }

  const revisionOf = ({ metadata }: Deployment | ReplicaSet) =>
    metadata.annotations?.['deployment.kubernetes.io/revision'];

  test('has a ReplicaSet that is named and labelled after its template, and its status', async () => {
    const { spec } = await create('web', 3, {}, { 'example.test/note': 'copied' });
    const hash = podTemplateHash(spec?.template);
    const labels = { app: 'web', 'pod-template-hash': hash };
    const set = await cluster.get(kinds.replicaSet, `web-${hash}`);
    assert.deepEqual(set.metadata.labels, labels);
    assert.deepEqual(set.spec?.selector, { matchLabels: labels });
    assert.deepEqual(set.spec?.template?.metadata?.labels, labels);
    assert.deepEqual(set.metadata.annotations, {
      'example.test/note': 'copied',
      'deployment.kubernetes.io/revision': '1',
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '4',
    });
    const scaled = `ScalingReplicaSet: Scaled up replica set web-${hash} from 0 to 3`;
    assert.deepEqual(await cluster.eventsAbout('web'), [scaled]);
    assert.deepEqual(await conditionsOf('web'), [
      'Available=False MinimumReplicasUnavailable',
      'Progressing=True ReplicaSetUpdated',
    ]);
    await makeReady('web', 'web:1');
    assert.deepEqual(await conditionsOf('web'), [
      'Available=True MinimumReplicasAvailable',
      'Progressing=True NewReplicaSetAvailable',
    ]);
    const found = await cluster.get(kinds.deployment, 'web');
    assert.equal(revisionOf(found), '1');
    const { conditions: _conditions, ...status } = found.status ?? {};
    const all = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
    assert.deepEqual(status, { observedGeneration: 1, ...all, terminatingReplicas: 0 });
  });

  test('is written three times until it is available, and its ReplicaSet twice', async () => {
    const already = cluster.writes.length;
    await create('thrifty', 3);
    await makeReady('thrifty', 'web:1');
    const [set] = await setsOf('thrifty');
    const counts = new Map<string, number>();
    for (const write of cluster.writes.slice(already)) counts.set(write, (counts.get(write) ?? 0) + 1);
    assert.deepEqual(Object.fromEntries(counts), {
      'POST replicasets': 1,
      'POST pods': 3,
      'PUT deployments/thrifty/status': 3,
      [`PUT replicasets/${set?.metadata.name}/status`]: 2,
    });
  });

  test('stops a rollout where its strategy stops it while new pods are not ready, and goes on with a better one', async () => {
    await create('rolling', 4);
    await makeReady('rolling', 'web:1');
    await setImage('rolling', 'web:bad');
    assert.deepEqual(await sizesOf('rolling'), { 'web:1': 3, 'web:bad': 2 });
    assert.deepEqual(await conditionsOf('rolling'), [
      'Available=True MinimumReplicasAvailable',
      'Progressing=True ReplicaSetUpdated',
    ]);
    await setImage('rolling', 'web:2');
    await makeReady('rolling', 'web:2');
    assert.deepEqual(await sizesOf('rolling'), { 'web:2': 4 });
    assert.equal((await conditionsOf('rolling'))[1], 'Progressing=True NewReplicaSetAvailable');
  });

  test('returns to an old ReplicaSet whose template it gets again, as a new revision', async () => {
    await create('undone', 1);
    await makeReady('undone', 'web:1');
    await setImage('undone', 'web:2');
    await makeReady('undone', 'web:2');
    await setImage('undone', 'web:1');
    await makeReady('undone', 'web:1');
    const sets = await setsOf('undone');
    assert.equal(sets.length, 2);
    const first = sets.find(({ spec }) => imageOf(spec?.template as Pod) === 'web:1');
    assert.ok(first);
    assert.equal(revisionOf(first), '3');
    assert.equal(first.metadata.annotations?.['deployment.kubernetes.io/revision-history'], '1');
    assert.equal(revisionOf(await cluster.get(kinds.deployment, 'undone')), '3');
    assert.deepEqual(await sizesOf('undone'), { 'web:1': 1 });
  });

  test('counts on from the revision of a ReplicaSet that it adopts, without losing digits', async () => {
    const annotations = { 'deployment.kubernetes.io/revision': '3546343826724305832' };
    const selector = { matchLabels: { app: 'adopting' } };
    await cluster.create(
      kinds.replicaSet,
      'adopted',
      { replicas: 0, selector, template: template('adopting', 'web:0') },
      { annotations, labels: { app: 'adopting' } },
    );
    await create('adopting', 1);
    await makeReady('adopting', 'web:1');
    assert.equal(revisionOf(await cluster.get(kinds.deployment, 'adopting')), '3546343826724305833');
  });

  test('is rolled back by the annotation of old clients', async () => {
    const rollback = (revision: string) =>
      change('asked', { metadata: { annotations: { 'deprecated.deployment.rollback.to': revision } } });
    await create('asked', 0, {}, { cause: 'first' });
    await change('asked', {
      metadata: { annotations: { cause: 'second' } },
      spec: { template: template('asked', 'web:2') },
    });
    await rollback('7');
    await rollback('2');
    await rollback('0');
    const { metadata, spec } = await cluster.get(kinds.deployment, 'asked');
    assert.equal(imageOf(spec?.template as Pod), 'web:1');
    assert.deepEqual(metadata.annotations, { cause: 'first', 'deployment.kubernetes.io/revision': '3' });
    assert.deepEqual(await cluster.eventsAbout('asked'), [
      'DeploymentRollback: Rolled back deployment "asked" to revision 1',
      'DeploymentRollbackRevisionNotFound: Unable to find the revision to rollback to.',
      'DeploymentRollbackTemplateUnchanged: The rollback revision contains the same template as current deployment "asked"',
    ]);
  });

  test('with the strategy Recreate has no new pod before the last old one is gone', async () => {
    await create('careful', 2, { strategy: { type: 'Recreate' } });
    await makeReady('careful', 'web:1');
    const old = (await cluster.livePods()).filter(({ metadata }) => metadata.labels?.['app'] === 'careful');
    for (const { metadata } of old) {
      const target = { kind: 'Node', name: 'somewhere' };
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { ...metadata }, target };
      await cluster.client.create(kinds.pod, binding, { subresource: 'binding' });
    }
    await setImage('careful', 'web:2');
    assert.deepEqual(await sizesOf('careful'), {});
    for (const { metadata } of old) {
      assert.equal((await setsOf('careful')).length, 1);
      const key = { namespace: 'default', name: metadata.name ?? '' };
      await cluster.client.delete(kinds.pod, key, { gracePeriodSeconds: 0 });
      await cluster.rest();
    }
    assert.deepEqual(await sizesOf('careful'), { 'web:2': 2 });
  });

  test('reports that a rollout without progress exceeded its deadline, once, and recovers', async () => {
    await create('late', 1, { progressDeadlineSeconds: 60 });
    await cluster.clock.advance(59_000);
    await cluster.rest();
    assert.equal((await conditionsOf('late'))[1], 'Progressing=True ReplicaSetUpdated');
    await cluster.clock.advance(3000);
    await cluster.rest();
    assert.equal((await conditionsOf('late'))[1], 'Progressing=False ProgressDeadlineExceeded');
    await makeReady('late', 'web:1');
    assert.equal((await conditionsOf('late'))[1], 'Progressing=True NewReplicaSetAvailable');
  });

  test('counts revisions exactly, however high they are', async () => {
    await create('old', 1);
    const [set] = await setsOf('old');
    const annotations = { 'deployment.kubernetes.io/revision': '3546343826724305832' };
    await cluster.patch(kinds.replicaSet, set?.metadata.name ?? '', { metadata: { annotations } });
    await setImage('old', 'web:2');
    assert.equal(revisionOf(await cluster.get(kinds.deployment, 'old')), '3546343826724305833');
  });

  test('survives annotations that no controller wrote', async () => {
    await create('strange', 2);
    const [set] = await setsOf('strange');
    const annotations = {
      'deployment.kubernetes.io/revision': '9'.repeat(40),
      'deployment.kubernetes.io/desired-replicas': '-1',
      'deployment.kubernetes.io/max-replicas': 'NaN',
    };
    await cluster.patch(kinds.replicaSet, set?.metadata.name ?? '', { metadata: { annotations } });
    await setImage('strange', 'web:2');
    await change('strange', { spec: { replicas: 3 } });
    await makeReady('strange', 'web:2');
    assert.deepEqual(await sizesOf('strange'), { 'web:2': 3 });
  });

  test('writes nothing while no object changes', async () => {
    await cluster.clock.advance(3_600_000);
    await cluster.rest();
    const before = cluster.revision();
    await cluster.clock.advance(3_600_000);
    await cluster.rest();
    assert.equal(cluster.revision(), before);
  });
});
