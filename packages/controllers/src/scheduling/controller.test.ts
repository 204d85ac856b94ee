import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import {
  clusterFamily,
  families,
  memberClusters,
  type Binding,
  type MemberClusterSpec,
  type MemberClusterStatus,
  type PlacementFamily,
  type PlacementPolicy,
} from '@flotilla/api';
import { MetricsRegistry, namespaces, silentLogger, type JsonObject, type ObjectKey } from '@flotilla/kube';
import { settle, startTestHub, type TestHub } from '@flotilla/testkit';
import { startHubControllers } from '../start-hub-controllers.ts';
import { joinedStatus } from './scheduling.testing.ts';

const minute = 60_000;
const workFinalizer = 'kubernetes-fleet.io/work-cleanup';

/** A hub that only schedules. The test writes MemberClusters and policy snapshots. */
class SchedulingHub {
  readonly hub: TestHub;
  readonly family: PlacementFamily;

  constructor(hub: TestHub, family: PlacementFamily) {
    this.hub = hub;
    this.family = family;
  }

  keyOf(name: string): ObjectKey {
    return this.family.scope === 'Namespaced' ? { namespace: 'west', name } : { name };
  }

  async addCluster(name: string, labels: Record<string, string> = {}): Promise<void> {
    const spec: MemberClusterSpec = { identity: { kind: 'User', name }, heartbeatPeriodSeconds: 60 };
    await this.hub.server.create(memberClusters, { metadata: { name, labels }, spec });
    await this.report(name);
  }

  /** A heartbeat of a healthy agent, with what else it reports. */
  async report(name: string, more: MemberClusterStatus = {}): Promise<void> {
    const cluster = await this.hub.client.get(memberClusters, { name });
    const status = { ...cluster.status, ...joinedStatus(new Date(this.hub.clock.now())), ...more };
    await this.hub.client.update(memberClusters, { ...cluster, status }, { subresource: 'status' });
    await this.hub.settle();
  }

  async changeCluster(name: string, change: JsonObject): Promise<void> {
    await this.hub.client.patch(memberClusters, { name }, { type: 'merge', value: change });
    await this.hub.settle();
  }

  async removeCluster(name: string): Promise<void> {
    await this.hub.client.delete(memberClusters, { name });
    await this.hub.settle();
  }

  async place(name: string, policy?: Partial<PlacementPolicy>, finalizers: string[] = []): Promise<void> {
    const { placement } = this.family;
    const selector = { group: '', version: 'v1', kind: 'ConfigMap', name: 'menu' };
    const metadata = { ...this.keyOf(name), finalizers };
    const spec = { resourceSelectors: [selector], ...(policy && { policy }) };
    await this.hub.server.create(placement, { metadata, spec });
    await this.addPolicy(name, 0, policy);
  }

  async addPolicy(placement: string, index: number, policy?: Partial<PlacementPolicy>): Promise<void> {
    await this.hub.server.create(this.family.policySnapshot, {
      metadata: {
        ...this.keyOf(`${placement}-${index}`),
        labels: {
          'kubernetes-fleet.io/parent-CRP': placement,
          'kubernetes-fleet.io/is-latest-snapshot': 'true',
          'kubernetes-fleet.io/policy-index': String(index),
        },
        annotations: {
          'kubernetes-fleet.io/CRP-generation': String(index + 1),
          ...(policy?.numberOfClusters !== undefined && {
            'kubernetes-fleet.io/number-of-clusters': String(policy.numberOfClusters),
          }),
        },
      },
      spec: { policyHash: 'aGFzaA==', ...(policy && { policy }) },
    });
    await this.hub.settle();
  }

  async bindings(placement: string): Promise<readonly Binding[]> {
    const { namespace } = this.keyOf(placement);
    const labelSelector = `kubernetes-fleet.io/parent-CRP=${placement}`;
    const options = { labelSelector, ...(namespace !== undefined && { namespace }) };
    return (await this.hub.client.list(this.family.binding, options)).items;
  }

  /** `lake Scheduled, sea Bound`; a binding that is being deleted has a cross. */
  async clustersOf(placement: string): Promise<string> {
    const found = await this.bindings(placement);
    const texts = found.map(({ metadata, spec }) => {
      const cross = metadata.deletionTimestamp === undefined ? '' : ' ✗';
      return `${spec.targetCluster} ${spec.state}${cross}`;
    });
    return texts.sort().join(', ');
  }

  /** Plays the rollout and works controllers. */
  async bind(placement: string): Promise<void> {
    for (const { metadata } of await this.bindings(placement)) {
      const value = {
        metadata: { finalizers: [...(metadata.finalizers ?? []), workFinalizer] },
        spec: { state: 'Bound', resourceSnapshotName: `${placement}-0-snapshot` },
      };
      await this.hub.client.patch(this.family.binding, this.keyOf(metadata.name ?? ''), { type: 'merge', value });
    }
    await this.hub.settle();
  }

  /** Plays the works controller for bindings that are being deleted. */
  async finishDeletion(placement: string): Promise<void> {
    for (const { metadata } of await this.bindings(placement)) {
      if (metadata.deletionTimestamp === undefined) continue;
      const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== workFinalizer);
      const value = { metadata: { finalizers } };
      await this.hub.client.patch(this.family.binding, this.keyOf(metadata.name ?? ''), { type: 'merge', value });
    }
    await this.hub.settle();
  }

  async condition(snapshot: string): Promise<string> {
    const { status } = await this.hub.client.get(this.family.policySnapshot, this.keyOf(snapshot));
    const [condition] = status?.conditions ?? [];
    return `${condition?.status} ${condition?.reason} for ${status?.observedCRPGeneration}`;
  }

  /** How often placements of the family were scheduled. */
  get reconciles(): number {
    const name =
      this.family.scope === 'Namespaced' ? 'resourceplacement-scheduler' : 'clusterresourceplacement-scheduler';
    const counted = new RegExp(
      `^controller_runtime_reconcile_time_seconds_count\\{controller="${name}"\\} (\\d+)$`,
      'm',
    );
    return Number(counted.exec(this.hub.metrics.text())?.[1] ?? 0);
  }
}

for (const family of families) {
  describe(`scheduling a ${family.placement.kind}`, () => {
    let hub: TestHub;
    let fleet: SchedulingHub;
    beforeEach(async () => {
      hub = await startTestHub({ controllers: ['scheduling'] });
      fleet = new SchedulingHub(hub, family);
      await hub.server.create(namespaces, { metadata: { name: 'west' } });
      for (const name of ['lake', 'pond', 'sea']) await fleet.addCluster(name, { size: name === 'sea' ? 'l' : 's' });
    });
    afterEach(() => hub.stop());

    test('of type PickAll takes every cluster, and new ones when they join', async () => {
      await fleet.place('shop');
      assert.equal(await fleet.clustersOf('shop'), 'lake Scheduled, pond Scheduled, sea Scheduled');
      assert.equal(await fleet.condition('shop-0'), 'True SchedulingPolicyFulfilled for 1');
      const placement = await hub.client.get(family.placement, fleet.keyOf('shop'));
      assert.deepEqual(placement.metadata.finalizers, ['kubernetes-fleet.io/scheduler-cleanup']);
      await fleet.addCluster('bay');
      assert.match(await fleet.clustersOf('shop'), /^bay Scheduled, /);
      const cycles = /^scheduling_cycle_duration_milliseconds_count\{is_failed="false",needs_requeue="false"\} \d+$/m;
      assert.match(hub.metrics.text(), cycles);
      assert.match(hub.metrics.text(), /^scheduling_active_workers 0$/m);
    });

    test('of type PickN replaces a cluster when it is gone, not when it begins to leave', async () => {
      await fleet.place('shop', { placementType: 'PickN', numberOfClusters: 2 });
      await fleet.bind('shop');
      assert.equal(await fleet.clustersOf('shop'), 'pond Bound, sea Bound');
      await fleet.changeCluster('sea', { metadata: { finalizers: ['test/agent'] } });
      await fleet.removeCluster('sea');
      await fleet.changeCluster('lake', { metadata: { labels: { more: 'x' } } });
      assert.equal(await fleet.clustersOf('shop'), 'pond Bound, sea Bound');
      await fleet.changeCluster('sea', { metadata: { finalizers: null } });
      assert.equal(await fleet.clustersOf('shop'), 'lake Scheduled, pond Bound, sea Unscheduled');
    });

    test('of type PickFixed waits for a cluster that does not exist yet', async () => {
      await fleet.place('shop', { placementType: 'PickFixed', clusterNames: ['sea', 'bay'] });
      assert.equal(await fleet.clustersOf('shop'), 'sea Scheduled');
      assert.equal(await fleet.condition('shop-0'), 'False SchedulingPolicyUnfulfilled for 1');
      await fleet.addCluster('bay');
      assert.equal(await fleet.clustersOf('shop'), 'bay Scheduled, sea Scheduled');
      assert.equal(await fleet.condition('shop-0'), 'True SchedulingPolicyFulfilled for 1');
    });

    test('with a new policy keeps the clusters that still fit', async () => {
      await fleet.place('shop', { placementType: 'PickAll' });
      await fleet.bind('shop');
      const small = { clusterSelectorTerms: [{ labelSelector: { matchLabels: { size: 's' } } }] };
      const affinity = { clusterAffinity: { requiredDuringSchedulingIgnoredDuringExecution: small } };
      const value = { metadata: { labels: { 'kubernetes-fleet.io/is-latest-snapshot': 'false' } } };
      await hub.client.patch(family.policySnapshot, fleet.keyOf('shop-0'), { type: 'merge', value });
      await fleet.addPolicy('shop', 1, { placementType: 'PickAll', affinity });
      assert.equal(await fleet.clustersOf('shop'), 'lake Bound, pond Bound, sea Unscheduled');
      assert.equal(await fleet.condition('shop-1'), 'True SchedulingPolicyFulfilled for 2');
      await fleet.changeCluster('sea', { metadata: { labels: { size: 's' } } });
      assert.equal(await fleet.clustersOf('shop'), 'lake Bound, pond Bound, sea Bound');
    });

    test('picks an evicted cluster again at once, and only once', async () => {
      await fleet.place('shop', { placementType: 'PickN', numberOfClusters: 1 });
      await fleet.bind('shop');
      const [evicted] = await fleet.bindings('shop');
      await hub.client.delete(family.binding, fleet.keyOf(evicted?.metadata.name ?? ''));
      await hub.settle();
      assert.equal(await fleet.clustersOf('shop'), 'sea Bound ✗, sea Scheduled');
      await fleet.finishDeletion('shop');
      assert.equal(await fleet.clustersOf('shop'), 'sea Scheduled');
    });

    test('ends with the placement: bindings outlive it until their Works are gone', async () => {
      await fleet.place('shop', undefined);
      await fleet.bind('shop');
      await fleet.addCluster('bay');
      await hub.client.delete(family.placement, fleet.keyOf('shop'));
      await hub.settle();
      assert.equal(await hub.find(family.placement, fleet.keyOf('shop')), undefined);
      assert.equal(await fleet.clustersOf('shop'), 'lake Bound ✗, pond Bound ✗, sea Bound ✗');
      await hub.client.delete(family.policySnapshot, fleet.keyOf('shop-0'));
      await fleet.place('shop', { placementType: 'PickFixed', clusterNames: ['sea'] });
      assert.equal(await fleet.clustersOf('shop'), 'lake Bound ✗, pond Bound ✗, sea Bound ✗, sea Scheduled');
      await fleet.finishDeletion('shop');
      assert.equal(await fleet.clustersOf('shop'), 'sea Scheduled');
    });

    test('writes nothing after a restart, nor for heartbeats, which wake no placement', async () => {
      await fleet.place('all');
      await fleet.place('some', { placementType: 'PickN', numberOfClusters: 5 });
      await fleet.place('fixed', { placementType: 'PickFixed', clusterNames: ['sea', 'bay'] });
      await hub.stopControllers();
      const revision = hub.revision;
      await hub.clock.advance(10 * minute);
      await hub.startControllers();
      assert.equal(hub.revision, revision);
      assert.ok(fleet.reconciles >= 3);
      // The clusters are silent for longer than the timeout: this one is awaited.
      await fleet.report('sea');
      const before = fleet.reconciles;
      await hub.clock.advance(minute);
      await fleet.report('sea', {
        properties: { 'a.io/nodes': { value: '3', observationTime: '2026-01-01T12:00:00Z' } },
      });
      assert.equal(fleet.reconciles, before);
      assert.equal(hub.revision, revision + 2);
    });
  });
}

describe('two schedulers at once', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ controllers: ['scheduling'] });
  });
  after(() => hub.stop());

  test('make one binding for each cluster', async () => {
    const fleet = new SchedulingHub(hub, clusterFamily);
    const names = Array.from({ length: 20 }, (_, index) => `c${index}`);
    for (const name of names) await fleet.addCluster(name);
    const { clock } = hub;
    const other = startHubControllers({
      client: hub.server.connect(),
      clock,
      random: () => 0.5,
      logger: silentLogger,
      metrics: new MetricsRegistry(),
      settings: { controllers: ['scheduling'] },
    });
    await other.ready;
    await fleet.place('shop');
    await settle(clock, () => other.isAtRest());
    const targets = (await fleet.bindings('shop')).map(({ spec }) => spec.targetCluster);
    assert.deepEqual(targets.sort(), names.sort());
    const [binding] = await fleet.bindings('shop');
    assert.ok(binding?.metadata.name);
    const { name } = binding.metadata;
    await assert.rejects(hub.client.create(clusterFamily.binding, { ...binding, metadata: { name } }), {
      code: 409,
      reason: 'AlreadyExists',
    });
    await other.stop();
  });
});
