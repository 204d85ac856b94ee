import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  abandoningAgentMessage,
  clusterFamily,
  clusterResourceOverrideSnapshots,
  families,
  memberClusters,
  namespacedFamily,
  works,
  type Binding,
  type PlacementFamily,
  type Work,
  type WorkStatus,
} from '@flotilla/api';
import { configMaps, namespaces, type JsonObject } from '@flotilla/kube';
import { startTestHub, type TestHub } from '@flotilla/testkit';
import {
  aBinding,
  aCondition,
  aConfigMap,
  aManifest,
  aSnapshot,
  baseIn,
  conditionTexts,
  namespaceIn,
  reporting,
} from './works.testing.ts';

const cleanUp = 'kubernetes-fleet.io/work-cleanup';

let hub: TestHub;
/** Changes of Works and bindings by the controllers. */
let writes: string[] = [];

async function startHub(): Promise<void> {
  hub = await startTestHub({ controllers: ['clusters', 'works'] });
  hub.shouldRefuse = ({ method, path }) => {
    const [, kind = '', rest = ''] = /\/(works|\w*bindings)(.*)$/.exec(path) ?? [];
    if (method !== 'GET' && !path.includes('rolebindings'))
      writes.push(`${method} ${kind}${/\/status$/.exec(rest)?.[0] ?? ''}`);
    return false;
  };
  await hub.server.create(namespaces, { metadata: { name: 'shop' } });
  await hub.addMember('sea');
  writes = [];
}

/** Writes what the placement, scheduling and rollout controllers write. */
async function bind(
  family: PlacementFamily,
  changes: { name?: string; spec?: Partial<Binding['spec']> } = {},
): Promise<Binding> {
  const { metadata, ...given } = aBinding(family, changes.spec);
  const { namespace, labels, finalizers } = metadata;
  const name = changes.name ?? 'web-sea-1234';
  const binding = await hub.server.create(family.binding, {
    ...given,
    metadata: { name, namespace, labels, finalizers },
  });
  return startRollout(family, binding);
}

async function startRollout(family: PlacementFamily, binding: Binding): Promise<Binding> {
  const observedGeneration = binding.metadata.generation ?? 0;
  const started = aCondition('RolloutStarted', 'True', { observedGeneration });
  const others = (binding.status?.conditions ?? []).filter(({ type }) => type !== started.type);
  const status = { ...binding.status, conditions: [...others, started] };
  return hub.client.update(family.binding, { ...binding, status }, { subresource: 'status' });
}

async function snapshot(
  family: PlacementFamily,
  resources: JsonObject[],
  options: Parameters<typeof aSnapshot>[2] = {},
  index = 4,
): Promise<void> {
  const { metadata, spec } = aSnapshot(family, resources, options);
  const { uid: _uid, creationTimestamp: _time, labels, ...rest } = metadata;
  const name = metadata.name?.replace('-4-', `-${index}-`);
  const indexed = { ...labels, 'kubernetes-fleet.io/resource-index': String(index) };
  await hub.server.create(family.resourceSnapshot, { metadata: { ...rest, name, labels: indexed }, spec });
}

function workKey(name: string): { namespace: string; name: string } {
  return { namespace: 'fleet-member-sea', name };
}

function bindingOf(family: PlacementFamily, name = 'web-sea-1234'): Promise<Binding | undefined> {
  return hub.find(family.binding, { namespace: namespaceIn(family), name });
}

async function conditionsOf(family: PlacementFamily, name?: string): Promise<string[]> {
  return conditionTexts((await bindingOf(family, name))?.status);
}

/** What the member's agent does with a Work: a finalizer, what it is about to apply, and what came of it. */
async function report(name: string, status: (generation: number) => WorkStatus): Promise<void> {
  const update = async (change: (work: Work) => Work, options?: { subresource: string }): Promise<void> => {
    await hub.client.update(works, change(await hub.client.get(works, workKey(name))), options);
  };
  await update((work) => ({ ...work, metadata: { ...work.metadata, finalizers: [cleanUp] } }));
  const preparing = aManifest('a', [aCondition('Applied', 'False', { reason: 'PreparingToProcess' })]);
  const about = { subresource: 'status' };
  await update(
    (work) => ({ ...work, status: { conditions: [], ...work.status, manifestConditions: [preparing] } }),
    about,
  );
  await update((work) => ({ ...work, status: status(work.metadata.generation ?? 0) }), about);
}

function isAvailable(generation: number): WorkStatus {
  const done = aManifest('a', [aCondition('Applied', 'True'), aCondition('Available', 'True')]);
  return reporting(['Applied=True AllManifestsApplied', 'Available=True AllManifestsAvailable'], [done], generation);
}

/** Less than the time after which an unreported Work becomes a status. */
async function shortly(): Promise<void> {
  for (let step = 0; step < 5; step++) await hub.clock.advance(100);
}

const available = 'Available=True AllWorkAreAvailable: All corresponding work objects are available';

for (const family of families) {
  const base = baseIn(family);
  const { plural } = family.binding;

  describe(`the Works of ${plural}`, () => {
    before(startHub);
    after(() => hub.stop());
    beforeEach(() => (writes = []));

    test('cost one creation, and one status when the member has reported', async () => {
      await snapshot(family, [aConfigMap('a')]);
      await bind(family);
      await shortly();
      await report(`${base}-work`, isAvailable);
      await shortly();
      assert.deepEqual(writes, ['POST works', `PUT ${plural}/status`]);
      assert.equal((await conditionsOf(family)).at(-1), available);
      await hub.clock.advance(600_000);
      assert.equal(writes.length, 2);
    });

    test('are not written again after a restart', async () => {
      await hub.stopControllers();
      await hub.startControllers();
      await hub.clock.advance(600_000);
      assert.deepEqual(writes, []);
    });

    test('are updated once for a new snapshot', async () => {
      await snapshot(family, [aConfigMap('b')], {}, 5);
      const bound = await bindingOf(family);
      assert.ok(bound);
      const spec = { ...bound.spec, resourceSnapshotName: 'web-5-snapshot' };
      await startRollout(family, await hub.client.update(family.binding, { ...bound, spec }));
      await shortly();
      await report(`${base}-work`, isAvailable);
      await shortly();
      assert.deepEqual(writes, ['PUT works', `PUT ${plural}/status`]);
      const { metadata, status } = (await bindingOf(family)) ?? {};
      assert.ok(status?.conditions?.every(({ observedGeneration }) => observedGeneration === metadata?.generation));
    });

    test('that are slow get a status that says so', async () => {
      const work = await hub.client.get(works, workKey(`${base}-work`));
      await hub.client.update(works, { ...work, spec: { ...work.spec, workload: { manifests: [] } } });
      await shortly();
      assert.deepEqual(writes, []);
      await hub.clock.advance(3000);
      await hub.settle();
      assert.equal((await conditionsOf(family)).at(-1), 'Applied=False ApplyInProgress: Resources are being applied');
    });

    test('are made again when they are deleted', async () => {
      const { metadata } = await hub.client.get(works, workKey(`${base}-work`));
      await hub.client.delete(works, workKey(`${base}-work`));
      await release(`${base}-work`);
      await shortly();
      assert.notEqual((await hub.find(works, workKey(`${base}-work`)))?.metadata.uid, metadata.uid);
    });

    test('follow the placement where it wants statuses back', async () => {
      const resourceSelectors = [{ group: '', version: 'v1', kind: 'ConfigMap', name: 'a' }];
      const namespace = namespaceIn(family);
      const placement = await hub.server.create(family.placement, {
        metadata: { name: 'web', namespace },
        spec: { resourceSelectors },
      });
      const reportBackStrategy = { type: 'Mirror', destination: 'WorkAPI' };
      const strategy = { ...placement.spec.strategy, reportBackStrategy };
      await hub.client.update(family.placement, {
        ...placement,
        spec: { ...placement.spec, strategy },
      } as typeof placement);
      await shortly();
      const { spec } = await hub.client.get(works, workKey(`${base}-work`));
      assert.deepEqual(spec?.reportBackStrategy, reportBackStrategy);
    });

    test('are gone before their binding is', async () => {
      const name = `${base}-work`;
      await report(name, isAvailable);
      await hub.client.delete(family.binding, { namespace: namespaceIn(family), name: 'web-sea-1234' });
      await hub.settle();
      await hub.clock.advance(600_000);
      assert.ok((await hub.find(works, workKey(name)))?.metadata.deletionTimestamp);
      assert.ok(await bindingOf(family));
      // A new binding for the same cluster waits for the old Work.
      await bind(family, { name: 'web-sea-5678', spec: { resourceSnapshotName: 'web-5-snapshot' } });
      await shortly();
      assert.match((await conditionsOf(family, 'web-sea-5678')).at(-1) ?? '', /is still being deleted by the agent/);
      await release(name);
      await shortly();
      assert.equal(await bindingOf(family), undefined);
      const { metadata } = await hub.client.get(works, workKey(name));
      assert.equal(metadata.labels?.['kubernetes-fleet.io/parent-resource-binding'], 'web-sea-5678');
    });
  });
}

async function release(name: string): Promise<void> {
  const work = await hub.find(works, workKey(name));
  if (work === undefined) return;
  await hub.client.update(works, { ...work, metadata: { ...work.metadata, finalizers: [] } });
}

describe('works', () => {
  before(startHub);
  after(() => hub.stop());
  beforeEach(() => (writes = []));

  test('that report together cost one status', async () => {
    await snapshot(clusterFamily, [aConfigMap('a')], { count: 3 });
    await snapshot(clusterFamily, [aConfigMap('b')], { subindex: '0' });
    await snapshot(clusterFamily, [aConfigMap('c')], { subindex: '1' });
    await bind(clusterFamily);
    await shortly();
    for (const name of ['web-work', 'web-0', 'web-1']) await report(name, isAvailable);
    await shortly();
    assert.deepEqual(writes, ['POST works', 'POST works', 'POST works', 'PUT clusterresourcebindings/status']);
    assert.equal((await conditionsOf(clusterFamily)).at(-1), available);
  });

  test('are made when the rest of their group of snapshots arrives', async () => {
    await snapshot(clusterFamily, [aConfigMap('a')], { count: 2 }, 6);
    await bind(clusterFamily, { name: 'late', spec: { resourceSnapshotName: 'web-6-snapshot', targetCluster: 'sea' } });
    await shortly();
    assert.deepEqual(writes, []);
    await hub.clock.advance(10_000);
    assert.match((await conditionsOf(clusterFamily, 'late'))[0] ?? '', /^Overridden=False .*not all resource snapshot/);
    await hub.client.delete(clusterFamily.binding, { name: 'web-sea-1234' });
    await shortly();
    for (const name of ['web-work', 'web-0', 'web-1']) await release(name);
    await snapshot(clusterFamily, [aConfigMap('b')], { subindex: '0' }, 6);
    await shortly();
    const { items } = await hub.client.list(works, { namespace: 'fleet-member-sea' });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['web-0', 'web-work'],
    );
  });

  test('are made when their overrides, and the labels that these read, arrive', async () => {
    await snapshot(clusterFamily, [aConfigMap('a')], {}, 7);
    const spec = { resourceSnapshotName: 'web-7-snapshot', clusterResourceOverrideSnapshots: ['cro-0'] };
    const late = await bindingOf(clusterFamily, 'late');
    assert.ok(late);
    const bound = await hub.client.update(clusterFamily.binding, { ...late, spec: { ...late.spec, ...spec } });
    await startRollout(clusterFamily, bound);
    await shortly();
    const failed = async (): Promise<string> => (await conditionsOf(clusterFamily, 'late'))[0] ?? '';
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
    await hub.server.create(clusterResourceOverrideSnapshots, {
      metadata: { name: 'cro-0' },
      spec: { overrideHash: 'aA==', overrideSpec },
    });
    await shortly();
    assert.match(await failed(), /label key region not found on cluster sea$/);
    const member = await hub.member('sea');
    const labels = { ...member.metadata.labels, region: 'north' };
    await hub.client.update(memberClusters, { ...member, metadata: { ...member.metadata, labels } });
    await shortly();
    const { spec: made } = await hub.client.get(works, workKey('web-work'));
    assert.deepEqual(made?.workload?.manifests?.[0]?.['data'], { key: 'a', region: 'north' });
  });

  test('of a placement with the same names wait until the name is free', async () => {
    const labels = { 'kubernetes-fleet.io/parent-CRP': 'shop.web' };
    const metadata = { name: 'shop.web-4-snapshot', labels: { ...labels, 'kubernetes-fleet.io/resource-index': '4' } };
    const annotations = { 'kubernetes-fleet.io/number-of-resource-snapshots': '1' };
    await hub.server.create(clusterFamily.resourceSnapshot, {
      metadata: { ...metadata, annotations },
      spec: { selectedResources: [] },
    });
    const { spec } = aBinding(clusterFamily, { resourceSnapshotName: 'shop.web-4-snapshot' });
    const named = { name: 'shop.web-sea-1', labels, finalizers: [cleanUp] };
    await startRollout(clusterFamily, await hub.server.create(clusterFamily.binding, { metadata: named, spec }));
    await shortly();
    await snapshot(namespacedFamily, [aConfigMap('a')]);
    await bind(namespacedFamily);
    await shortly();
    assert.match(
      (await conditionsOf(namespacedFamily)).at(-1) ?? '',
      /the work shop\.web-work in namespace fleet-member-sea belongs to the placement shop\.web; rename/,
    );
    await hub.client.delete(clusterFamily.binding, { name: 'shop.web-sea-1' });
    await shortly();
    const { metadata: made } = await hub.client.get(works, workKey('shop.web-work'));
    assert.equal(made.labels?.['kubernetes-fleet.io/parent-placement-namespace'], 'shop');
  });

  test('refuse cluster-scoped objects in a ConfigMap by what the hub serves', async () => {
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'r' } };
    const envelope = await hub.server.create(configMaps, {
      metadata: {
        name: 'e',
        namespace: 'shop',
        annotations: { 'kubernetes-fleet.io/envelope-configmap': 'true' },
      },
      data: { role: JSON.stringify(role) },
    });
    await snapshot(clusterFamily, [envelope], {}, 8);
    await bind(clusterFamily, { name: 'wrapped', spec: { resourceSnapshotName: 'web-8-snapshot' } });
    await shortly();
    assert.match((await conditionsOf(clusterFamily, 'wrapped')).at(-1) ?? '', /use a ClusterResourceEnvelope for it$/);
  });

  test('that are abandoned are marked for an agent of ours, and taken from an agent that does not know the mark', async () => {
    const annotations = { 'kubernetes-fleet.io/delete-propagation': 'Abandon' };
    const abandon = async (name: string): Promise<Work | undefined> => {
      const bound = await bindingOf(clusterFamily, name);
      assert.ok(bound);
      await hub.client.update(clusterFamily.binding, { ...bound, metadata: { ...bound.metadata, annotations } });
      await hub.client.delete(clusterFamily.binding, { name });
      await shortly();
      return hub.find(works, workKey(`${name}-work`));
    };
    for (const name of ['theirs', 'ours']) {
      const labels = { 'kubernetes-fleet.io/parent-CRP': name };
      const metadata = {
        name: `${name}-0-snapshot`,
        labels: { ...labels, 'kubernetes-fleet.io/resource-index': '0' },
        annotations: { 'kubernetes-fleet.io/number-of-resource-snapshots': '1' },
      };
      await hub.server.create(clusterFamily.resourceSnapshot, { metadata, spec: { selectedResources: [] } });
      const { spec } = aBinding(clusterFamily, { resourceSnapshotName: metadata.name });
      const named = { name, labels, finalizers: [cleanUp] };
      await startRollout(clusterFamily, await hub.server.create(clusterFamily.binding, { metadata: named, spec }));
      await shortly();
      await report(`${name}-work`, isAvailable);
    }
    // The agent puts its finalizer back once.
    let isBack = false;
    const record = hub.shouldRefuse;
    hub.shouldRefuse = (request) => {
      const isDeletion = request.method === 'DELETE' && request.path.endsWith('theirs-work');
      if (isDeletion && !isBack) {
        isBack = true;
        const value = { metadata: { finalizers: [cleanUp] } };
        void hub.client.patch(works, workKey('theirs-work'), { type: 'merge', value });
      }
      return record(request);
    };
    assert.equal(await abandon('theirs'), undefined);
    assert.ok(isBack);
    hub.shouldRefuse = record;

    const joined = aCondition('Joined', 'True', { message: abandoningAgentMessage });
    await hub.report('sea', { agentStatus: [{ type: 'MemberAgent', conditions: [joined] }] });
    await shortly();
    const { metadata } = (await abandon('ours')) ?? {};
    assert.deepEqual(metadata?.finalizers, [cleanUp]);
    assert.ok(metadata?.deletionTimestamp);
    assert.equal(metadata.annotations?.['kubernetes-fleet.io/delete-propagation'], 'Abandon');
    await release('ours-work');
    await shortly();
    assert.equal(await bindingOf(clusterFamily, 'ours'), undefined);
  });

  test('of a member that leaves do not hold its bindings', async () => {
    await report('web-work', isAvailable);
    await hub.client.delete(memberClusters, { name: 'sea' });
    await hub.settle();
    await hub.client.delete(clusterFamily.binding, { name: 'late' });
    await hub.clock.advance(30 * 60_000);
    await hub.settle();
    assert.equal(await hub.find(memberClusters, { name: 'sea' }), undefined);
    assert.equal(await bindingOf(clusterFamily, 'late'), undefined);
  });
});
