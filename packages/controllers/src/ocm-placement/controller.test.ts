import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  addOnPlacementScores,
  managedClusters,
  managedClusterSetBindings,
  managedClusterSets,
  ocmPlacements,
  placementDecisions,
  type ManagedClusterSpec,
  type OcmPlacement,
  type OcmPlacementSpec,
  type PlacementDecision,
} from '@flotilla/api';
import { events, ignoreNotFound, namespaces, type JsonObject, type Kind } from '@flotilla/kube';
import { startTestHub, type TestHub } from '@flotilla/testkit';

const namespace = 'shop';
const setLabel = 'cluster.open-cluster-management.io/clusterset';

/** A hub that only selects ManagedClusters. The test writes them. */
class PlacementHub {
  readonly hub: TestHub;

  constructor(hub: TestHub) {
    this.hub = hub;
  }

  async addCluster(name: string, labels: Record<string, string> = {}, spec: Partial<ManagedClusterSpec> = {}) {
    const metadata = { name, labels: { [setLabel]: 'fleet', ...labels } };
    await this.hub.server.create(managedClusters, { metadata, spec: { hubAcceptsClient: true, ...spec } });
  }

  /** Deletes what tests write. */
  async clear(): Promise<void> {
    const { client } = this.hub;
    const kinds: Kind[] = [
      ocmPlacements,
      placementDecisions,
      managedClusterSetBindings,
      managedClusters,
      managedClusterSets,
    ];
    for (const kind of kinds) {
      for (const { metadata } of (await client.list(kind)).items) {
        const key = { namespace: metadata.namespace, name: metadata.name ?? '' };
        if (metadata.finalizers)
          await client.patch(kind, key, { type: 'merge', value: { metadata: { finalizers: null } } });
        await client.delete(kind, key).catch(ignoreNotFound);
      }
    }
    await this.hub.settle();
  }

  async addSet(name: string): Promise<void> {
    await this.hub.server.create(managedClusterSets, { metadata: { name } });
  }

  async bind(set: string): Promise<void> {
    await this.hub.server.create(managedClusterSetBindings, {
      metadata: { namespace, name: set },
      spec: { clusterSet: set },
    });
  }

  async place(name: string, spec: OcmPlacementSpec = {}, annotations: Record<string, string> = {}): Promise<void> {
    await this.hub.server.create(ocmPlacements, { metadata: { namespace, name, annotations }, spec: { ...spec } });
    await this.hub.settle();
  }

  async changeCluster(name: string, value: JsonObject): Promise<void> {
    await this.hub.client.patch(managedClusters, { name }, { type: 'merge', value });
    await this.hub.settle();
  }

  async changePlacement(name: string, value: JsonObject): Promise<void> {
    await this.hub.client.patch(ocmPlacements, { namespace, name }, { type: 'merge', value });
    await this.hub.settle();
  }

  placement(name: string): Promise<OcmPlacement> {
    return this.hub.client.get(ocmPlacements, { namespace, name });
  }

  async decisions(placement: string): Promise<readonly PlacementDecision[]> {
    const labelSelector = `cluster.open-cluster-management.io/placement=${placement}`;
    return (await this.hub.client.list(placementDecisions, { namespace, labelSelector })).items;
  }

  /** `web-decision-1: a b`. */
  async textOf(placement: string): Promise<string> {
    const texts = (await this.decisions(placement)).map(({ metadata, status }) =>
      `${metadata.name}: ${(status?.decisions ?? []).map(({ clusterName }) => clusterName).join(' ')}`.trimEnd(),
    );
    return texts.join(', ');
  }

  /** Statuses and reasons of both conditions. */
  async conditionsOf(placement: string): Promise<string> {
    const { status } = await this.placement(placement);
    return (status?.conditions ?? []).map((one) => `${one.type} ${one.status} ${one.reason}`).join(', ');
  }

  /** How often Placements were decided. */
  get reconciles(): number {
    const counted = /^controller_runtime_reconcile_time_seconds_count\{controller="ocm-placement"\} (\d+)$/m;
    return Number(counted.exec(this.hub.metrics.text())?.[1] ?? 0);
  }
}

describe('an OCM Placement', () => {
  let hub: TestHub;
  let fleet: PlacementHub;
  before(async () => {
    hub = await startTestHub({ controllers: ['ocm-placement'] });
    fleet = new PlacementHub(hub);
    await hub.server.create(namespaces, { metadata: { name: namespace } });
  });
  after(() => hub.stop());
  beforeEach(async () => {
    await fleet.clear();
    await fleet.addSet('fleet');
    await fleet.bind('fleet');
    for (const name of ['bern', 'lima', 'oslo'])
      await fleet.addCluster(name, { region: name === 'lima' ? 'sa' : 'eu' });
    await hub.settle();
  });

  test('gets decisions with labels and an owner, and a status', async () => {
    await fleet.place('web', { numberOfClusters: 2 });
    const [decision, ...others] = await fleet.decisions('web');
    assert.deepEqual(others, []);
    assert.deepEqual(decision?.metadata.labels, {
      'cluster.open-cluster-management.io/placement': 'web',
      'cluster.open-cluster-management.io/decision-group-name': '',
      'cluster.open-cluster-management.io/decision-group-index': '0',
    });
    const { uid = '', generation } = (await fleet.placement('web')).metadata;
    const owner = { apiVersion: 'cluster.open-cluster-management.io/v1beta1', kind: 'Placement', name: 'web', uid };
    assert.deepEqual(decision?.metadata.ownerReferences, [{ ...owner, controller: true, blockOwnerDeletion: true }]);
    assert.deepEqual(decision?.status?.decisions, [
      { clusterName: 'bern', reason: '', score: 200 },
      { clusterName: 'lima', reason: '', score: 200 },
    ]);
    const { status } = await fleet.placement('web');
    assert.equal(generation, 1);
    assert.equal(status?.numberOfSelectedClusters, 2);
    assert.deepEqual(status?.decisionGroups, [
      { decisionGroupIndex: 0, decisionGroupName: '', decisions: ['web-decision-1'], clusterCount: 2 },
    ]);
    assert.equal(
      await fleet.conditionsOf('web'),
      'PlacementMisconfigured False Succeedconfigured, PlacementSatisfied True AllDecisionsScheduled',
    );
  });

  test('is decided once: its own writes do not wake it', async () => {
    const { reconciles } = fleet;
    await fleet.place('web');
    assert.equal(fleet.reconciles, reconciles + 1);
    const { revision } = hub;
    await hub.clock.advance(600_000);
    await hub.settle();
    assert.deepEqual([fleet.reconciles, hub.revision], [reconciles + 1, revision]);
  });

  test('has an empty decision and says why if there is nothing to select', async () => {
    await fleet.place('none', { clusterSets: ['other'] });
    assert.equal(await fleet.textOf('none'), 'none-decision-1:');
    assert.match(await fleet.conditionsOf('none'), /PlacementSatisfied False NoIntersection$/);
    const found = await fleet.decisions('none');
    assert.equal(found[0]?.status, undefined);
  });

  test('loses its clusters when it is misconfigured, and gets them back', async () => {
    await fleet.place('web');
    await fleet.changePlacement('web', { spec: { prioritizerPolicy: { mode: 'Sum' } } });
    assert.equal(await fleet.textOf('web'), 'web-decision-1:');
    const { status } = await fleet.placement('web');
    assert.equal(status?.conditions?.[0]?.message, ':incorrect prioritizer policy mode: Sum');
    await fleet.changePlacement('web', { spec: { prioritizerPolicy: null } });
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern lima oslo');
  });

  test('stays as it is while its annotation says so', async () => {
    const annotation = 'cluster.open-cluster-management.io/experimental-scheduling-disable';
    await fleet.place('web', {}, { [annotation]: 'true' });
    assert.equal(await fleet.textOf('web'), '');
    await fleet.changePlacement('web', { metadata: { annotations: { [annotation]: null } } });
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern lima oslo');
  });

  test('repairs decisions that are changed or deleted', async () => {
    await fleet.place('web');
    const key = { namespace, name: 'web-decision-1' };
    const value = { status: { decisions: [{ clusterName: 'rome', reason: '' }] } };
    await hub.client.patch(placementDecisions, key, { type: 'merge', value }, { subresource: 'status' });
    await hub.settle();
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern lima oslo');
    await hub.client.patch(placementDecisions, key, { type: 'merge', value: { metadata: { labels: { mine: 'x' } } } });
    await hub.settle();
    assert.equal((await fleet.decisions('web'))[0]?.metadata.labels?.['mine'], undefined);
    await hub.client.delete(placementDecisions, key);
    await hub.settle();
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern lima oslo');
  });

  test('follows sets and bindings', async () => {
    await hub.client.delete(managedClusterSetBindings, { namespace, name: 'fleet' });
    await fleet.place('web');
    assert.match(await fleet.conditionsOf('web'), /NoManagedClusterSetBindings$/);
    await fleet.bind('fleet');
    await hub.settle();
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern lima oslo');
    await fleet.changeCluster('lima', { metadata: { labels: { [setLabel]: 'other' } } });
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern oslo');
    await fleet.addSet('other');
    await fleet.bind('other');
    await hub.settle();
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern lima oslo');
    await hub.client.delete(managedClusterSets, { name: 'other' });
    await hub.settle();
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern oslo');
  });

  test('drops a cluster that is being deleted, at once', async () => {
    await fleet.changeCluster('oslo', { metadata: { finalizers: ['test/agent'] } });
    await fleet.place('web');
    await hub.client.delete(managedClusters, { name: 'oslo' });
    await hub.settle();
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern lima');
  });

  test('is decided only when a change can concern it', async () => {
    const byRegion = (region: string): OcmPlacementSpec => ({
      predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { region } } } }],
    });
    await fleet.place('eu', byRegion('eu'));
    await fleet.place('sa', byRegion('sa'));
    await fleet.place('asia', byRegion('asia'));
    await fleet.place('any');
    const woken = async (change: () => Promise<unknown>): Promise<number> => {
      const earlier = fleet.reconciles;
      await change();
      await hub.settle();
      return fleet.reconciles - earlier;
    };
    const label = (labels: JsonObject) => () => fleet.changeCluster('lima', { metadata: { labels } });
    assert.equal(await woken(label({ color: 'red' })), 0);
    assert.equal(await woken(label({ region: 'eu' })), 2);
    assert.equal(await fleet.textOf('eu'), 'eu-decision-1: bern lima oslo');
    const taints = [{ key: 'old', effect: 'NoSelect' }];
    assert.equal(await woken(() => fleet.changeCluster('lima', { spec: { taints } })), 4);
    const status = { version: { kubernetes: 'v1.36.0' } };
    const report = () =>
      hub.client.patch(
        managedClusters,
        { name: 'lima' },
        { type: 'merge', value: { status } },
        { subresource: 'status' },
      );
    assert.equal(await woken(report), 0);
  });

  test('loses a cluster in the second in which its toleration ends', async () => {
    const timeAdded = new Date(hub.clock.now()).toISOString();
    await fleet.place('web', { tolerations: [{ key: 'gone', operator: 'Exists', tolerationSeconds: 300 }] });
    await fleet.changeCluster('oslo', { spec: { taints: [{ key: 'gone', effect: 'NoSelect', timeAdded }] } });
    const left = Date.parse(timeAdded) + 300_000 - hub.clock.now();
    await hub.clock.advance(left - 1000);
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern lima oslo');
    await hub.clock.advance(1000);
    await hub.settle();
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern lima');
  });

  test('ranks by scores of add-ons until they expire, and writes mere changes of scores once a minute', async () => {
    await hub.server.create(namespaces, { metadata: { name: 'oslo' } });
    await hub.server.create(addOnPlacementScores, { metadata: { namespace: 'oslo', name: 'usage' } });
    const report = async (value: number, minutes: number) => {
      const validUntil = new Date(hub.clock.now() + minutes * 60_000).toISOString();
      const status = { scores: [{ name: 'free', value }], validUntil };
      const key = { namespace: 'oslo', name: 'usage' };
      await hub.client.patch(
        addOnPlacementScores,
        key,
        { type: 'merge', value: { status } },
        { subresource: 'status' },
      );
      await hub.settle();
    };
    const scoreCoordinate = { type: 'AddOn', addOn: { resourceName: 'usage', scoreName: 'free' } } as const;
    const prioritizerPolicy = { mode: 'Exact', configurations: [{ scoreCoordinate, weight: 1 }] };
    const score = async () => (await fleet.decisions('web'))[0]?.status?.decisions[0]?.score;
    await report(7, 60);
    await fleet.place('web', { numberOfClusters: 1, prioritizerPolicy });
    assert.equal(await fleet.textOf('web'), 'web-decision-1: oslo');
    assert.equal(await score(), 7);
    await report(9, 60);
    assert.equal(await score(), 7);
    await hub.clock.advance(60_000);
    await hub.settle();
    assert.equal(await score(), 9);
    await hub.clock.advance(60 * 60_000);
    await hub.settle();
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern');
  });

  test('is decided again when a score that its expression reads changes', async () => {
    await hub.server.create(namespaces, { metadata: { name: 'lima' } });
    await hub.server.create(addOnPlacementScores, { metadata: { namespace: 'lima', name: 'seen' } });
    const celSelector = { celExpressions: ['managedCluster.scores("seen").exists(s, s.value > 5)'] };
    await fleet.place('web', { predicates: [{ requiredClusterSelector: { celSelector } }] });
    assert.equal(await fleet.textOf('web'), 'web-decision-1:');
    const value = { status: { scores: [{ name: 'free', value: 6 }] } };
    const key = { namespace: 'lima', name: 'seen' };
    await hub.client.patch(addOnPlacementScores, key, { type: 'merge', value }, { subresource: 'status' });
    await hub.settle();
    assert.equal(await fleet.textOf('web'), 'web-decision-1: lima');
  });

  test('loses its decisions to an invalid first group, but not the number of its clusters, as in OCM', async () => {
    await fleet.place('web');
    const groupClusterSelector = { labelSelector: { matchLabels: { '-': 'x' } } };
    const groupStrategy = { decisionGroups: [{ groupName: 'bad', groupClusterSelector }] };
    await fleet.changePlacement('web', { spec: { decisionStrategy: { groupStrategy } } });
    assert.equal(await fleet.textOf('web'), '');
    assert.match(await fleet.conditionsOf('web'), /^PlacementMisconfigured True/);
    assert.equal((await fleet.placement('web')).status?.numberOfSelectedClusters, 3);
  });

  test('of a negative number selects nothing, and one whose name no label can hold says so', async () => {
    await fleet.place('few', { numberOfClusters: -2147483648 });
    assert.equal(await fleet.textOf('few'), 'few-decision-1:');
    const name = 'p'.repeat(64);
    await fleet.place(name);
    const [misconfigured] = (await fleet.placement(name)).status?.conditions ?? [];
    assert.equal(misconfigured?.message, ':metadata.name must be no more than 63 characters');
    await fleet.place('q'.repeat(253));
    await fleet.place('web');
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern lima oslo');
  });

  test('with an expired score stays where it is while others move', async () => {
    // OCM retries it with back-off, as if its warning were a failure. Each retry weighs Balance anew and may move clusters.
    const scoreCoordinate = { type: 'AddOn', addOn: { resourceName: 'load', scoreName: 'free' } } as const;
    await hub.server.create(namespaces, { metadata: { name: 'bern' } });
    await hub.server.create(addOnPlacementScores, { metadata: { namespace: 'bern', name: 'load' } });
    const status = { scores: [{ name: 'free', value: 50 }], validUntil: '2020-01-01T00:00:00Z' };
    const key = { namespace: 'bern', name: 'load' };
    await hub.client.patch(addOnPlacementScores, key, { type: 'merge', value: { status } }, { subresource: 'status' });
    const balanced = { scoreCoordinate: { type: 'BuiltIn', builtIn: 'Balance' }, weight: 1 } as const;
    const configurations = [balanced, { scoreCoordinate, weight: 1 }];
    await fleet.place('web', { numberOfClusters: 1, prioritizerPolicy: { mode: 'Exact', configurations } });
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern');
    await fleet.place('crowd', { predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: {} } } }] });
    await fleet.place('other', { numberOfClusters: 1, prioritizerPolicy: { mode: 'Exact', configurations: [] } });
    const { reconciles } = fleet;
    await hub.clock.advance(600_000);
    await hub.settle();
    assert.equal(await fleet.textOf('web'), 'web-decision-1: bern');
    assert.equal(fleet.reconciles, reconciles);
  });

  test('records events as OCM does', async () => {
    await fleet.place('seen', { numberOfClusters: 1 });
    await fleet.changePlacement('seen', {
      spec: { decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 1 } }, numberOfClusters: 2 },
    });
    await fleet.changePlacement('seen', { spec: { numberOfClusters: 1 } });
    const { items } = await hub.client.list(events, { namespace, fieldSelector: 'involvedObject.name=seen' });
    const texts = items.map(({ type, reason, action, message }) =>
      [type, reason, action, message].map((part) => part as string).join(' '),
    );
    assert.deepEqual(
      new Set(texts),
      new Set([
        'Normal DecisionCreate DecisionCreated Decision seen-decision-1 is created with placement seen in namespace shop',
        'Normal DecisionUpdate DecisionUpdated Decision seen-decision-1 is updated with placement seen in namespace shop',
        'Normal ScoreUpdate ScoreUpdated bern:100 lima:100 oslo:100 ',
        'Normal DecisionCreate DecisionCreated Decision seen-decision-2 is created with placement seen in namespace shop',
        'Normal DecisionUpdate DecisionUpdated Decision seen-decision-2 is updated with placement seen in namespace shop',
        'Normal ScoreUpdate ScoreUpdated bern:200 lima:100 oslo:100 ',
        'Normal DecisionDelete DecisionDeleted Decision seen-decision-2 is deleted with placement seen in namespace shop',
        'Normal ScoreUpdate ScoreUpdated bern:200 lima:200 oslo:100 ',
      ]),
    );
    const [event] = items;
    assert.equal(event?.['reportingComponent'], 'placement-controller');
    assert.equal((event?.['related'] as JsonObject | undefined)?.['kind'], 'PlacementDecision');
  });

  test('writes nothing after a restart of the hub', async () => {
    await fleet.place('web', { numberOfClusters: 2 });
    await fleet.place('api', { decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 1 } } });
    await hub.stopControllers();
    const { revision } = hub;
    await hub.startControllers();
    assert.equal(hub.revision, revision);
  });

  test('measures schedules, writes, plugins and expressions', async () => {
    const celSelector = { celExpressions: ['managedCluster.metadata.name != ""'] };
    await fleet.place('web', { predicates: [{ requiredClusterSelector: { celSelector } }] });
    const text = hub.metrics.text();
    for (const series of [
      'scheduling_scheduling_duration_seconds_count{name="placement_scheduling"}',
      'scheduling_bind_duration_seconds_count{name="placement_scheduling"}',
      'scheduling_cel_runtime_duration_seconds_count{name="placement_scheduling"}',
      'scheduling_plugin_duration_seconds_count{name="placement_scheduling",plugin_type="filter",plugin_name="TaintToleration"}',
      'scheduling_plugin_duration_seconds_count{name="placement_scheduling",plugin_type="prioritizer",plugin_name="Balance"}',
    ]) {
      assert.match(text, new RegExp(`^${RegExp.escape(series)} [1-9]`, 'm'));
    }
  });

  test('is balanced with others over the clusters', async () => {
    for (let n = 0; n < 6; n++) {
      await hub.server.create(ocmPlacements, { metadata: { namespace, name: `p${n}` }, spec: { numberOfClusters: 1 } });
    }
    await hub.settle();
    const { items } = await hub.client.list(placementDecisions, { namespace });
    const counts = new Map<string, number>();
    for (const { status } of items) {
      for (const { clusterName } of status?.decisions ?? [])
        counts.set(clusterName, (counts.get(clusterName) ?? 0) + 1);
    }
    assert.deepEqual([...counts.values()], [2, 2, 2]);
  });
});
