import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  abandoningAgentMessage,
  clusterFamily,
  clusterResourceOverrideSnapshots,
  memberClusters,
  namespacedFamily,
  works,
  type Work,
} from '@flotilla/api';
import { configMaps } from '@flotilla/kube';
import { available, cleanUp, isAvailable, workKey, WorksScene } from './works-scene.testing.ts';
import { aBinding, aCondition, aConfigMap } from './works.testing.ts';

let scene: WorksScene;

describe('works', () => {
  before(async () => {
    scene = await WorksScene.start();
  });
  after(() => scene.hub.stop());
  beforeEach(() => {
    scene.writes = [];
  });

  test('that report together cost one status', async () => {
    await scene.snapshot(clusterFamily, [aConfigMap('a')], { count: 3 });
    await scene.snapshot(clusterFamily, [aConfigMap('b')], { subindex: '0' });
    await scene.snapshot(clusterFamily, [aConfigMap('c')], { subindex: '1' });
    await scene.bind(clusterFamily);
    await scene.shortly();
    for (const name of ['web-work', 'web-0', 'web-1']) await scene.report(name, isAvailable);
    await scene.shortly();
    assert.deepEqual(scene.writes, ['POST works', 'POST works', 'POST works', 'PUT clusterresourcebindings/status']);
    assert.equal((await scene.conditionsOf(clusterFamily)).at(-1), available);
  });

  test('are made when the rest of their group of snapshots arrives', async () => {
    await scene.snapshot(clusterFamily, [aConfigMap('a')], { count: 2 }, 6);
    await scene.bind(clusterFamily, {
      name: 'late',
      spec: { resourceSnapshotName: 'web-6-snapshot', targetCluster: 'sea' },
    });
    await scene.shortly();
    assert.deepEqual(scene.writes, []);
    await scene.hub.clock.advance(10_000);
    assert.match(
      (await scene.conditionsOf(clusterFamily, 'late'))[0] ?? '',
      /^Overridden=False .*not all resource snapshot/,
    );
    await scene.hub.client.delete(clusterFamily.binding, { name: 'web-sea-1234' });
    await scene.shortly();
    for (const name of ['web-work', 'web-0', 'web-1']) await scene.release(name);
    await scene.snapshot(clusterFamily, [aConfigMap('b')], { subindex: '0' }, 6);
    await scene.shortly();
    const { items } = await scene.hub.client.list(works, { namespace: 'fleet-member-sea' });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['web-0', 'web-work'],
    );
  });

  test('are made when their overrides, and the labels that these read, arrive', async () => {
    await scene.snapshot(clusterFamily, [aConfigMap('a')], {}, 7);
    const spec = { resourceSnapshotName: 'web-7-snapshot', clusterResourceOverrideSnapshots: ['cro-0'] };
    const late = await scene.bindingOf(clusterFamily, 'late');
    assert.ok(late);
    const bound = await scene.hub.client.update(clusterFamily.binding, { ...late, spec: { ...late.spec, ...spec } });
    await scene.startRollout(clusterFamily, bound);
    await scene.shortly();
    const failed = async (): Promise<string> => (await scene.conditionsOf(clusterFamily, 'late'))[0] ?? '';
    assert.match(
      await failed(),
      /^Overridden=False OverriddenFailed: .*: clusterResourceOverrideSnapshot cro-0 is not found$/,
    );
    const value = '${MEMBER-CLUSTER-LABEL-KEY-region}';
    const rule = {
      clusterSelector: { clusterSelectorTerms: [] },
      jsonPatchOverrides: [{ op: 'add', path: '/data/region', value }],
    };
    const clusterResourceSelectors = [{ group: '', version: 'v1', kind: 'Namespace', name: 'shop' }];
    const overrideSpec = { clusterResourceSelectors, policy: { overrideRules: [rule] } };
    await scene.hub.server.create(clusterResourceOverrideSnapshots, {
      metadata: { name: 'cro-0' },
      spec: { overrideHash: 'aA==', overrideSpec },
    });
    await scene.shortly();
    assert.match(await failed(), /label key region not found on cluster sea$/);
    const member = await scene.hub.member('sea');
    const labels = { ...member.metadata.labels, region: 'north' };
    await scene.hub.client.update(memberClusters, { ...member, metadata: { ...member.metadata, labels } });
    await scene.shortly();
    const { spec: made } = await scene.hub.client.get(works, workKey('web-work'));
    assert.deepEqual(made?.workload?.manifests?.[0]?.['data'], { key: 'a', region: 'north' });
  });

  test('of a placement with the same names wait until the name is free', async () => {
    const labels = { 'kubernetes-fleet.io/parent-CRP': 'shop.web' };
    const metadata = { name: 'shop.web-4-snapshot', labels: { ...labels, 'kubernetes-fleet.io/resource-index': '4' } };
    const annotations = { 'kubernetes-fleet.io/number-of-resource-snapshots': '1' };
    await scene.hub.server.create(clusterFamily.resourceSnapshot, {
      metadata: { ...metadata, annotations },
      spec: { selectedResources: [] },
    });
    const { spec } = aBinding(clusterFamily, { resourceSnapshotName: 'shop.web-4-snapshot' });
    const named = { name: 'shop.web-sea-1', labels, finalizers: [cleanUp] };
    await scene.startRollout(
      clusterFamily,
      await scene.hub.server.create(clusterFamily.binding, { metadata: named, spec }),
    );
    await scene.shortly();
    await scene.snapshot(namespacedFamily, [aConfigMap('a')]);
    await scene.bind(namespacedFamily);
    await scene.shortly();
    assert.match(
      (await scene.conditionsOf(namespacedFamily)).at(-1) ?? '',
      /the work shop\.web-work in namespace fleet-member-sea belongs to the placement shop\.web; rename/,
    );
    await scene.hub.client.delete(clusterFamily.binding, { name: 'shop.web-sea-1' });
    await scene.shortly();
    const { metadata: made } = await scene.hub.client.get(works, workKey('shop.web-work'));
    assert.equal(made.labels?.['kubernetes-fleet.io/parent-placement-namespace'], 'shop');
  });

  test('refuse cluster-scoped objects in a ConfigMap by what the hub serves', async () => {
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'r' } };
    const envelope = await scene.hub.server.create(configMaps, {
      metadata: {
        name: 'e',
        namespace: 'shop',
        annotations: { 'kubernetes-fleet.io/envelope-configmap': 'true' },
      },
      data: { role: JSON.stringify(role) },
    });
    await scene.snapshot(clusterFamily, [envelope], {}, 8);
    await scene.bind(clusterFamily, { name: 'wrapped', spec: { resourceSnapshotName: 'web-8-snapshot' } });
    await scene.shortly();
    assert.match(
      (await scene.conditionsOf(clusterFamily, 'wrapped')).at(-1) ?? '',
      /use a ClusterResourceEnvelope for it$/,
    );
  });

  test('that are abandoned are marked for an agent of ours, and taken from an agent that does not know the mark', async () => {
    const annotations = { 'kubernetes-fleet.io/delete-propagation': 'Abandon' };
    const abandon = async (name: string): Promise<Work | undefined> => {
      const bound = await scene.bindingOf(clusterFamily, name);
      assert.ok(bound);
      await scene.hub.client.update(clusterFamily.binding, { ...bound, metadata: { ...bound.metadata, annotations } });
      await scene.hub.client.delete(clusterFamily.binding, { name });
      await scene.shortly();
      return scene.hub.find(works, workKey(`${name}-work`));
    };
    for (const name of ['theirs', 'ours']) {
      const labels = { 'kubernetes-fleet.io/parent-CRP': name };
      const metadata = {
        name: `${name}-0-snapshot`,
        labels: { ...labels, 'kubernetes-fleet.io/resource-index': '0' },
        annotations: { 'kubernetes-fleet.io/number-of-resource-snapshots': '1' },
      };
      await scene.hub.server.create(clusterFamily.resourceSnapshot, { metadata, spec: { selectedResources: [] } });
      const { spec } = aBinding(clusterFamily, { resourceSnapshotName: metadata.name });
      const named = { name, labels, finalizers: [cleanUp] };
      await scene.startRollout(
        clusterFamily,
        await scene.hub.server.create(clusterFamily.binding, { metadata: named, spec }),
      );
      await scene.shortly();
      await scene.report(`${name}-work`, isAvailable);
    }
    // The agent puts its finalizer back once.
    let isBack = false;
    const record = scene.hub.shouldRefuse;
    scene.hub.shouldRefuse = (request) => {
      const isDeletion = request.method === 'DELETE' && request.path.endsWith('theirs-work');
      if (isDeletion && !isBack) {
        isBack = true;
        const value = { metadata: { finalizers: [cleanUp] } };
        void scene.hub.client.patch(works, workKey('theirs-work'), { type: 'merge', value });
      }
      return record(request);
    };
    assert.equal(await abandon('theirs'), undefined);
    assert.ok(isBack);
    scene.hub.shouldRefuse = record;

    const joined = aCondition('Joined', 'True', { message: abandoningAgentMessage });
    await scene.hub.report('sea', { agentStatus: [{ type: 'MemberAgent', conditions: [joined] }] });
    await scene.shortly();
    const { metadata } = (await abandon('ours')) ?? {};
    assert.deepEqual(metadata?.finalizers, [cleanUp]);
    assert.ok(metadata?.deletionTimestamp);
    assert.equal(metadata.annotations?.['kubernetes-fleet.io/delete-propagation'], 'Abandon');
    await scene.release('ours-work');
    await scene.shortly();
    assert.equal(await scene.bindingOf(clusterFamily, 'ours'), undefined);
  });

  test('of a member that leaves do not hold its bindings', async () => {
    await scene.report('web-work', isAvailable);
    await scene.hub.client.delete(memberClusters, { name: 'sea' });
    await scene.hub.settle();
    await scene.hub.client.delete(clusterFamily.binding, { name: 'late' });
    await scene.hub.clock.advance(30 * 60_000);
    await scene.hub.settle();
    assert.equal(await scene.hub.find(memberClusters, { name: 'sea' }), undefined);
    assert.equal(await scene.bindingOf(clusterFamily, 'late'), undefined);
  });
});
