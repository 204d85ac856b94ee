import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  clusterOverrides,
  families,
  memberClusters,
  namespacedOverrides,
  type Binding,
  type PlacementFamily,
} from '@flotilla/api';
import { formatTime, namespaces, type JsonObject } from '@flotilla/kube';
import { startTestHub, type TestHub } from '@flotilla/testkit';

const parent = 'kubernetes-fleet.io/parent-CRP';

/** Plays the stages around the rollout: the user, the placement controller, the scheduler and the works controller. */
class Stages {
  readonly hub: TestHub;
  readonly family: PlacementFamily;
  readonly #place: { namespace?: string };

  constructor(hub: TestHub, family: PlacementFamily) {
    this.hub = hub;
    this.family = family;
    this.#place = family.scope === 'Namespaced' ? { namespace: 'app' } : {};
  }

  key(name: string) {
    return { ...this.#place, name };
  }

  async place(name: string, strategy: JsonObject = {}): Promise<void> {
    const resourceSelectors = [{ group: '', version: 'v1', kind: 'ConfigMap', name: 'web' }];
    const spec = {
      resourceSelectors,
      policy: { placementType: 'PickAll' },
      strategy: { type: 'RollingUpdate', ...strategy },
    };
    await this.hub.server.create(this.family.placement, { metadata: this.key(name), spec });
  }

  async snapshot(placement: string, index: number): Promise<void> {
    const { resourceSnapshot } = this.family;
    const label = 'kubernetes-fleet.io/is-latest-snapshot';
    if (index > 0) {
      const value = { metadata: { labels: { [label]: 'false' } } };
      await this.hub.client.patch(resourceSnapshot, this.key(`${placement}-${index - 1}-snapshot`), {
        type: 'merge',
        value,
      });
    }
    const labels = { [parent]: placement, [label]: 'true', 'kubernetes-fleet.io/resource-index': String(index) };
    const annotations = {
      'kubernetes-fleet.io/resource-hash': `h${index}`,
      'kubernetes-fleet.io/number-of-resource-snapshots': '1',
    };
    const selectedResources = [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'app', name: 'web' },
        data: { index: String(index) },
      },
    ];
    await this.hub.server.create(resourceSnapshot, {
      metadata: { ...this.key(`${placement}-${index}-snapshot`), labels, annotations },
      spec: { selectedResources },
    });
  }

  async schedule(placement: string, ...clusters: string[]): Promise<void> {
    for (const cluster of clusters) {
      await this.hub.server.create(this.family.binding, {
        metadata: { ...this.key(`${placement}-${cluster}`), labels: { [parent]: placement } },
        spec: {
          state: 'Scheduled',
          resourceSnapshotName: '',
          schedulingPolicySnapshotName: `${placement}-0`,
          targetCluster: cluster,
          clusterDecision: { clusterName: cluster, selected: true, reason: '' },
        },
      });
    }
    await this.hub.settle();
  }

  binding(name: string): Promise<Binding> {
    return this.hub.client.get(this.family.binding, this.key(name));
  }

  /** Works report that the resources are available. */
  async makeAvailable(...names: string[]): Promise<void> {
    for (const name of names) {
      const binding = await this.binding(name);
      const observedGeneration = binding.metadata.generation ?? 0;
      const lastTransitionTime = formatTime(new Date(this.hub.clock.now()));
      const available = { type: 'Available', status: 'True' as const, reason: 'AllWorkAreAvailable', message: '' };
      const kept = (binding.status?.conditions ?? []).filter(({ type }) => type === 'RolloutStarted');
      const conditions = [...kept, { ...available, observedGeneration, lastTransitionTime }];
      await this.hub.client.update(
        this.family.binding,
        { ...binding, status: { conditions } },
        { subresource: 'status' },
      );
    }
    await this.hub.settle();
  }

  /** `Bound p-0-snapshot True`: state, resources, and whether the rollout has started. */
  async progress(name: string): Promise<string> {
    const { metadata, spec, status } = await this.binding(name);
    const started = status?.conditions?.find(({ type }) => type === 'RolloutStarted');
    const isCurrent = started?.observedGeneration === metadata.generation;
    return [spec.state, spec.resourceSnapshotName, isCurrent ? started?.status : 'stale'].filter(Boolean).join(' ');
  }
}

for (const family of families) {
  describe(`a ${family.placement.kind}`, () => {
    let hub: TestHub;
    let stages: Stages;
    before(async () => {
      hub = await startTestHub({ controllers: ['rollout', 'overrides'] });
      await hub.server.create(namespaces, { metadata: { name: 'app' } });
      stages = new Stages(hub, family);
      for (const name of ['a', 'b', 'c', 'd']) await hub.addMember(name);
    });
    after(() => hub.stop());

    async function label(member: string, tier: string): Promise<void> {
      await hub.client.patch(
        memberClusters,
        { name: member },
        { type: 'merge', value: { metadata: { labels: { tier } } } },
      );
      await hub.settle();
    }

    test('reaches all its clusters at first, with two writes to each binding', async () => {
      await stages.place('p');
      await stages.snapshot('p', 0);
      const { revision } = hub;
      await stages.schedule('p', 'a', 'b', 'c');
      for (const name of ['p-a', 'p-b', 'p-c']) assert.equal(await stages.progress(name), 'Bound p-0-snapshot True');
      assert.equal(hub.revision - revision, 3 * 3);
      const { applyStrategy } = (await stages.binding('p-a')).spec;
      assert.equal(applyStrategy?.whenToTakeOver, 'Always');
      await stages.makeAvailable('p-a', 'p-b', 'p-c');
    });

    test('is updated cluster by cluster', async () => {
      await stages.snapshot('p', 1);
      await hub.settle();
      const states = async () => Promise.all(['p-a', 'p-b', 'p-c'].map((name) => stages.progress(name)));
      assert.deepEqual(await states(), [
        'Bound p-1-snapshot True',
        'Bound p-0-snapshot False',
        'Bound p-0-snapshot False',
      ]);
      await stages.makeAvailable('p-a');
      assert.deepEqual(await states(), [
        'Bound p-1-snapshot True',
        'Bound p-1-snapshot True',
        'Bound p-0-snapshot False',
      ]);
      await stages.makeAvailable('p-b');
      await stages.makeAvailable('p-c');
      assert.deepEqual(
        await states(),
        Array.from({ length: 3 }, () => 'Bound p-1-snapshot True'),
      );
    });

    test('notices a change of its limits', async () => {
      await stages.snapshot('p', 2);
      await hub.settle();
      assert.equal(await stages.progress('p-c'), 'Bound p-1-snapshot False');
      const rollingUpdate = { maxUnavailable: '100%' };
      await hub.client.patch(family.placement, stages.key('p'), {
        type: 'merge',
        value: { spec: { strategy: { rollingUpdate } } },
      });
      await hub.settle();
      assert.equal(await stages.progress('p-c'), 'Bound p-2-snapshot True');
      await stages.makeAvailable('p-a', 'p-b', 'p-c');
    });

    test('brings an override that names it to its clusters, and takes it away', async () => {
      const isNamespaced = family.scope === 'Namespaced';
      const { override } = isNamespaced ? namespacedOverrides : clusterOverrides;
      const selector = {
        group: '',
        version: 'v1',
        ...(isNamespaced ? { kind: 'ConfigMap', name: 'web' } : { kind: 'Namespace', name: 'app' }),
      };
      const labelSelector = { matchLabels: { tier: 'gold' } };
      await label('a', 'gold');
      const spec = (placement?: JsonObject) => ({
        ...(placement && { placement }),
        [isNamespaced ? 'resourceSelectors' : 'clusterResourceSelectors']: [selector],
        policy: {
          overrideRules: [
            {
              clusterSelector: { clusterSelectorTerms: [{ labelSelector }] },
              jsonPatchOverrides: [{ op: 'add', path: '/metadata/labels', value: {} }],
            },
          ],
        },
      });
      const named = async (name: string) => {
        const { clusterResourceOverrideSnapshots = [], resourceOverrideSnapshots = [] } = (await stages.binding(name))
          .spec;
        return [...clusterResourceOverrideSnapshots, ...resourceOverrideSnapshots.map((one) => one.name)];
      };
      await hub.server.create(override, { metadata: stages.key('later'), spec: spec() });
      await hub.settle();
      assert.deepEqual(await named('p-a'), []);
      const scope = isNamespaced ? 'Namespaced' : 'Cluster';
      await hub.server.create(override, { metadata: stages.key('now'), spec: spec({ name: 'p', scope }) });
      await hub.settle();
      assert.deepEqual(await named('p-a'), ['later-0', 'now-0']);
      assert.deepEqual(await named('p-b'), []);
      assert.equal(await stages.progress('p-a'), 'Bound p-2-snapshot True');
      await stages.makeAvailable('p-a');

      await label('b', 'gold');
      assert.deepEqual(await named('p-b'), ['later-0', 'now-0']);
      await stages.makeAvailable('p-b');
      await label('b', 'silver');
      assert.deepEqual(await named('p-b'), []);
      await stages.makeAvailable('p-b');
      await hub.client.delete(override, stages.key('now'));
      await hub.settle();
      assert.deepEqual(await named('p-a'), ['later-0']);
      await stages.makeAvailable('p-a');
      await hub.client.delete(override, stages.key('later'));
      await hub.settle();
      assert.deepEqual(await named('p-a'), []);
      await stages.makeAvailable('p-a');
    });

    test('waits until its group of snapshots is complete', async () => {
      await stages.place('q');
      await stages.snapshot('q', 0);
      const annotations = { 'kubernetes-fleet.io/number-of-resource-snapshots': '2' };
      const value = { metadata: { annotations } };
      await hub.client.patch(family.resourceSnapshot, stages.key('q-0-snapshot'), { type: 'merge', value });
      await stages.schedule('q', 'a');
      assert.equal(await stages.progress('q-a'), 'Scheduled stale');
      await hub.server.create(family.resourceSnapshot, {
        metadata: { ...stages.key('q-0-0'), labels: { [parent]: 'q', 'kubernetes-fleet.io/resource-index': '0' } },
        spec: { selectedResources: [] },
      });
      await hub.settle();
      assert.equal(await stages.progress('q-a'), 'Bound q-0-snapshot True');
    });

    test('leaves clusters that the scheduler has withdrawn', async () => {
      await hub.client.patch(family.binding, stages.key('p-b'), {
        type: 'merge',
        value: { spec: { state: 'Unscheduled' } },
      });
      await stages.makeAvailable('p-b');
      assert.equal(await hub.find(family.binding, stages.key('p-b')), undefined);
    });

    test('waits for the deletion of an old binding, and goes on without a timer', async () => {
      await hub.client.patch(family.binding, stages.key('p-a'), {
        type: 'merge',
        value: { metadata: { finalizers: ['test/held'] } },
      });
      await hub.client.delete(family.binding, stages.key('p-a'));
      await hub.server.create(family.binding, {
        metadata: { ...stages.key('p-a2'), labels: { [parent]: 'p' } },
        spec: { ...(await stages.binding('p-a')).spec, state: 'Scheduled', resourceSnapshotName: '' },
      });
      await hub.settle();
      assert.equal(await stages.progress('p-a2'), 'Scheduled stale');
      await hub.client.patch(family.binding, stages.key('p-a'), {
        type: 'merge',
        value: { metadata: { finalizers: null } },
      });
      await hub.settle();
      assert.equal(await stages.progress('p-a2'), 'Bound p-2-snapshot True');
    });

    test('pushes a new apply strategy to all clusters at once', async () => {
      const strategy = { applyStrategy: { type: 'ReportDiff' } };
      await hub.client.patch(family.placement, stages.key('p'), { type: 'merge', value: { spec: { strategy } } });
      await hub.settle();
      for (const name of ['p-a2', 'p-c']) {
        assert.equal((await stages.binding(name)).spec.applyStrategy?.type, 'ReportDiff');
        assert.equal(await stages.progress(name), 'Bound p-2-snapshot True');
      }
    });

    test('is not written after a restart', async () => {
      await hub.stopControllers();
      const { revision } = hub;
      await hub.startControllers();
      await hub.settle();
      assert.equal(hub.revision, revision);
    });

    test('is left alone with an External strategy', async () => {
      await hub.client.patch(family.placement, stages.key('p'), {
        type: 'merge',
        value: { spec: { strategy: { type: 'External', rollingUpdate: null } } },
      });
      await stages.snapshot('p', 3);
      await stages.schedule('p', 'd');
      assert.equal(await stages.progress('p-d'), 'Scheduled stale');
      assert.equal(await stages.progress('p-c'), 'Bound p-2-snapshot True');
    });

    test('with an External strategy is not even looked at when its bindings change', async () => {
      const looks = (): string[] =>
        hub.metrics.text().match(/reconcile_total\{[^}]*rollout-controller[^}]*\} .*/g) ?? [];
      const before = looks();
      await stages.schedule('p', 'e');
      assert.deepEqual(looks(), before);
    });
  });
}
