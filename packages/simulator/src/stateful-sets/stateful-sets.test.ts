/** StatefulSets on a real server in memory; the test acts as scheduler and kubelet. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatTime, labelSelectorFrom, type JsonObject } from '@flotilla/kube';
import { startTestCluster, type TestCluster } from '../cluster.testing.ts';
import { kinds, type Pod, type VolumeClaim } from '../kinds.ts';
import { statefulSetController } from './controller.ts';
import { decideStatefulSet } from './decide-stateful-set.ts';

const namespace = 'default';

function template(app: string, image: string): JsonObject {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: 'db', image }] } };
}

describe('a StatefulSet', () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await startTestCluster([statefulSetController]);
  });
  after(() => cluster.stop());

  async function create(name: string, spec: JsonObject): Promise<void> {
    const selector = { matchLabels: { app: name } };
    const all = { selector, serviceName: `${name}-headless`, template: template(name, 'db:1'), ...spec };
    await cluster.create(kinds.statefulSet, name, all);
  }
  const change = (name: string, spec: JsonObject) => cluster.patch(kinds.statefulSet, name, { spec });
  async function podsOf(app: string): Promise<readonly Pod[]> {
    return (await cluster.client.list(kinds.pod, { namespace, labelSelector: `app=${app}` })).items;
  }
  async function namesOf(app: string): Promise<string[]> {
    return (await podsOf(app)).map(({ metadata: { name = '', deletionTimestamp } }) =>
      deletionTimestamp === undefined ? name : `${name} leaves`,
    );
  }
  async function ready(name: string): Promise<void> {
    const { metadata, spec } = await cluster.get(kinds.pod, name);
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'node' } };
    if (spec?.nodeName === undefined) await cluster.client.create(kinds.pod, binding, { subresource: 'binding' });
    const pod = await cluster.get(kinds.pod, name);
    const lastTransitionTime = formatTime(new Date(cluster.clock.now()));
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] };
    await cluster.client.update(kinds.pod, { ...pod, status }, { subresource: 'status' });
    await cluster.rest();
  }
  async function readyAll(app: string): Promise<void> {
    for (
      let pods = await podsOf(app);
      pods.some(({ status }) => status?.phase === 'Pending');
      pods = await podsOf(app)
    ) {
      for (const { metadata, status } of pods) if (status?.phase === 'Pending') await ready(metadata.name ?? '');
    }
  }
  /** The kubelet has stopped the pod. */
  async function finish(name: string): Promise<void> {
    await cluster.client.delete(kinds.pod, { name, namespace }, { gracePeriodSeconds: 0 });
    await cluster.rest();
  }
  const setOf = (name: string) => cluster.get(kinds.statefulSet, name);
  async function imagesOf(app: string): Promise<unknown[]> {
    return (await podsOf(app)).map(({ spec }) => spec?.containers?.[0]?.image);
  }

  test('starts its pods one after another, each with its name, labels and host name', async () => {
    await create('db', { replicas: 2 });
    assert.deepEqual(await namesOf('db'), ['db-0']);
    await ready('db-0');
    assert.deepEqual(await namesOf('db'), ['db-0', 'db-1']);
    const pod = (await podsOf('db'))[1];
    const revision = (await setOf('db')).status?.currentRevision;
    assert.match(revision ?? '', /^db-[a-z0-9]+$/);
    assert.deepEqual(pod?.metadata.labels, {
      app: 'db',
      'apps.kubernetes.io/pod-index': '1',
      'controller-revision-hash': revision,
      'statefulset.kubernetes.io/pod-name': 'db-1',
    });
    assert.deepEqual([pod?.spec?.['hostname'], pod?.spec?.['subdomain']], ['db-1', 'db-headless']);
    await ready('db-1');
    assert.deepEqual((await setOf('db')).status, {
      observedGeneration: 1,
      replicas: 2,
      readyReplicas: 2,
      currentReplicas: 2,
      updatedReplicas: 2,
      currentRevision: revision,
      updateRevision: revision,
      collisionCount: 0,
      availableReplicas: 2,
    });
    assert.deepEqual(await cluster.eventsAbout('db'), [
      'SuccessfulCreate: Create Pod db-0 in StatefulSet db successful',
      'SuccessfulCreate: Create Pod db-1 in StatefulSet db successful',
    ]);
  });

  test('replaces pods from the last to the first, and waits for each', async () => {
    await create('roll', { replicas: 3 });
    await readyAll('roll');
    await change('roll', { template: template('roll', 'db:2') });
    assert.deepEqual(await namesOf('roll'), ['roll-0', 'roll-1', 'roll-2 leaves']);
    await finish('roll-2');
    assert.deepEqual(await imagesOf('roll'), ['db:1', 'db:1', 'db:2']);
    const { status } = await setOf('roll');
    assert.notEqual(status?.currentRevision, status?.updateRevision);
    await ready('roll-2');
    assert.deepEqual(await namesOf('roll'), ['roll-0', 'roll-1 leaves', 'roll-2']);
    await finish('roll-1');
    await ready('roll-1');
    await finish('roll-0');
    await ready('roll-0');
    const { status: last } = await setOf('roll');
    assert.deepEqual([last?.currentRevision, last?.currentReplicas], [status?.updateRevision, 3]);
  });

  test('leaves pods before the partition as they are, also when they are replaced', async () => {
    const strategy = (partition: number) => ({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
    });
    await create('part', { replicas: 2, ...strategy(1) });
    await readyAll('part');
    await change('part', { template: template('part', 'db:2') });
    await finish('part-1');
    await ready('part-1');
    await finish('part-0');
    assert.deepEqual(await imagesOf('part'), ['db:1', 'db:2']);
    await ready('part-0');
    await change('part', strategy(0));
    assert.deepEqual(await namesOf('part'), ['part-0 leaves', 'part-1']);
  });

  test('of policy Parallel starts and stops all pods at once, from its first ordinal', async () => {
    await create('many', { replicas: 3, podManagementPolicy: 'Parallel', ordinals: { start: 5 } });
    assert.deepEqual(await namesOf('many'), ['many-5', 'many-6', 'many-7']);
    await readyAll('many');
    await change('many', { replicas: 1 });
    assert.deepEqual(await namesOf('many'), ['many-5', 'many-6 leaves', 'many-7 leaves']);
  });

  test('waits for minReadySeconds before the next pod', async () => {
    await create('slow', { replicas: 2, minReadySeconds: 30 });
    await ready('slow-0');
    assert.deepEqual(await namesOf('slow'), ['slow-0']);
    await cluster.clock.advance(30_000);
    await cluster.rest();
    assert.deepEqual(await namesOf('slow'), ['slow-0', 'slow-1']);
  });

  test('deletes a pod that failed, and creates it again', async () => {
    await create('fail', { replicas: 1 });
    const [pod] = await podsOf('fail');
    assert.ok(pod !== undefined);
    await cluster.client.update(kinds.pod, { ...pod, status: { phase: 'Failed' } }, { subresource: 'status' });
    await cluster.rest();
    const [again] = await podsOf('fail');
    assert.deepEqual([again?.metadata.name, again?.status?.phase], ['fail-0', 'Pending']);
    assert.notEqual(again?.metadata.uid, pod.metadata.uid);
  });

  test('waits until a pod of another owner releases its name', async () => {
    const spec = { containers: [{ name: 'x', image: 'x' }] };
    await cluster.client.create(kinds.pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'taken-0', namespace },
      spec,
    });
    await create('taken', { replicas: 1 });
    assert.deepEqual(await namesOf('taken'), []);
    await finish('taken-0');
    assert.deepEqual(await namesOf('taken'), ['taken-0']);
  });

  test('returns to the revision of a template that it had, and keeps as many old ones as it may', async () => {
    await create('back', { replicas: 0, revisionHistoryLimit: 1 });
    const revisions = async () =>
      (await cluster.client.list(kinds.controllerRevision, { namespace, labelSelector: 'app=back' })).items;
    const [first] = await revisions();
    await change('back', { template: template('back', 'db:2') });
    await change('back', { template: template('back', 'db:1') });
    assert.equal((await setOf('back')).status?.updateRevision, first?.metadata.name);
    const numbers = async () =>
      Object.fromEntries((await revisions()).map(({ metadata, revision }) => [metadata.name, revision]));
    assert.equal((await numbers())[first?.metadata.name ?? ''], 3);
    await change('back', { template: template('back', 'db:3') });
    assert.deepEqual(new Set(Object.values(await numbers())), new Set([3, 4]));
  });

  test('bears a claim template that lacks everything, and as many replicas as a number can say', () => {
    const metadata = { name: 'odd', namespace, uid: 'u', resourceVersion: '1' };
    const spec = { replicas: 2 ** 31 - 1, podManagementPolicy: 'Parallel', volumeClaimTemplates: [{} as VolumeClaim] };
    const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec };
    const absent = () => undefined;
    const state = { set, selector: labelSelectorFrom({}), candidates: [], revisions: [], hasPod: () => false };
    const { steps } = decideStatefulSet({ ...state, findRevision: absent, findClaim: absent }, new Date(0));
    assert.equal(steps.flat().filter(({ kind }) => kind === kinds.pod).length, 100);
  });

  describe('with claims', () => {
    const volumeClaimTemplates = [
      {
        metadata: { name: 'data', labels: { tier: 'fast' } },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ];
    const claimsOf = async (app: string) =>
      (await cluster.client.list(kinds.volumeClaim, { namespace, labelSelector: `app=${app}` })).items;

    test('gives each pod its own, and keeps them when pods leave', async () => {
      await create('disk', { replicas: 2, volumeClaimTemplates });
      await readyAll('disk');
      const claims = await claimsOf('disk');
      assert.deepEqual(
        claims.map(({ metadata: { name, labels } }) => [name, labels]),
        [0, 1].map((ordinal) => [`data-disk-${ordinal}`, { app: 'disk', tier: 'fast' }]),
      );
      const [pod] = await podsOf('disk');
      assert.deepEqual(
        pod?.spec?.volumes?.find(({ name }) => name === 'data'),
        { name: 'data', persistentVolumeClaim: { claimName: 'data-disk-0' } },
      );
      await change('disk', { replicas: 0 });
      assert.equal((await claimsOf('disk')).length, 2);
      assert.ok(claims.every(({ metadata }) => metadata.ownerReferences === undefined));
    });

    test('makes set or pod their owner, as the retention policy says', async () => {
      const policy = (whenDeleted: string, whenScaled: string) => ({
        persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
      });
      const ownersOf = async () =>
        (await claimsOf('own')).map(({ metadata }) =>
          (metadata.ownerReferences ?? []).map(({ kind, name, controller }) => `${kind} ${name} ${controller}`).join(),
        );
      await create('own', { replicas: 2, volumeClaimTemplates, ...policy('Delete', 'Retain') });
      await readyAll('own');
      assert.deepEqual(await ownersOf(), ['StatefulSet own true', 'StatefulSet own true']);
      await change('own', policy('Delete', 'Delete'));
      await change('own', { replicas: 1 });
      assert.deepEqual(await ownersOf(), ['StatefulSet own true', 'Pod own-1 true']);
      assert.deepEqual(await namesOf('own'), ['own-0', 'own-1 leaves']);
      await finish('own-1');
      await change('own', { replicas: 2, ...policy('Retain', 'Delete') });
      assert.deepEqual(await ownersOf(), ['', 'Pod own-1 true'], 'the claim of the former pod must go first');
      assert.deepEqual(await namesOf('own'), ['own-0']);
    });
  });
});
