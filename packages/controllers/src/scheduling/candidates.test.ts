import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  clusterFamily,
  families,
  memberClusters,
  placementDecisions,
  type PlacementFamily,
  type PlacementPolicy,
} from '@flotilla/api';
import { namespaces, type ObjectKey } from '@flotilla/kube';
import { startTestHub, type TestHub } from '@flotilla/testkit';
import { joinedStatus } from './scheduling.testing.ts';

const annotation = 'flotilla.dev/candidates-from';
const placementLabel = 'cluster.open-cluster-management.io/placement';

describe('a placement with the candidates of an OCM Placement', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ controllers: ['scheduling', 'ocm-placement'] });
    await hub.server.create(namespaces, { metadata: { name: 'west' } });
    for (const name of ['lake', 'pond', 'sea']) {
      const spec = { identity: { kind: 'User', name }, heartbeatPeriodSeconds: 60 };
      const cluster = await hub.server.create(memberClusters, { metadata: { name }, spec });
      const status = joinedStatus(new Date(hub.clock.now()));
      await hub.client.update(memberClusters, { ...cluster, status }, { subresource: 'status' });
    }
  });
  after(() => hub.stop());

  /** The test plays OCM's controller. */
  async function decide(placement: string, ...clusters: string[]): Promise<void> {
    const key = { namespace: 'west', name: `${placement}-decision-1` };
    if ((await hub.find(placementDecisions, key)) === undefined) {
      await hub.server.create(placementDecisions, { metadata: { ...key, labels: { [placementLabel]: placement } } });
    }
    const decisions = clusters.map((clusterName) => ({ clusterName, reason: '' }));
    const patch = { type: 'merge', value: { status: { decisions } } } as const;
    await hub.client.patch(placementDecisions, key, patch, { subresource: 'status' });
    await hub.settle();
  }

  const keyOf = ({ scope }: PlacementFamily, name: string): ObjectKey =>
    scope === 'Namespaced' ? { namespace: 'west', name } : { name };

  async function place(family: PlacementFamily, name: string, source: string, policy?: Partial<PlacementPolicy>) {
    const selector = { group: '', version: 'v1', kind: 'ConfigMap', name: 'menu' };
    const metadata = { ...keyOf(family, name), annotations: { [annotation]: source } };
    await hub.server.create(family.placement, { metadata, spec: { resourceSelectors: [selector] } });
    const labels = {
      'kubernetes-fleet.io/parent-CRP': name,
      'kubernetes-fleet.io/is-latest-snapshot': 'true',
      'kubernetes-fleet.io/policy-index': '0',
    };
    const annotations = {
      'kubernetes-fleet.io/CRP-generation': '1',
      ...(policy?.numberOfClusters !== undefined && {
        'kubernetes-fleet.io/number-of-clusters': String(policy.numberOfClusters),
      }),
    };
    await hub.server.create(family.policySnapshot, {
      metadata: { ...keyOf(family, `${name}-0`), labels, annotations },
      spec: { policyHash: 'aGFzaA==', ...(policy && { policy }) },
    });
    await hub.settle();
  }

  /** `lake pond`: clusters whose bindings are not given up. */
  async function clustersOf(family: PlacementFamily, name: string): Promise<string> {
    const { namespace } = keyOf(family, name);
    const options = { labelSelector: `kubernetes-fleet.io/parent-CRP=${name}`, ...(namespace && { namespace }) };
    const { items } = await hub.client.list(family.binding, options);
    const kept = items.filter(({ spec }) => spec.state !== 'Unscheduled');
    return kept
      .map(({ spec }) => spec.targetCluster)
      .sort()
      .join(' ');
  }

  async function messageOf(family: PlacementFamily, name: string): Promise<string> {
    const { status } = await hub.client.get(family.policySnapshot, keyOf(family, `${name}-0`));
    return status?.conditions?.[0]?.message ?? '';
  }

  for (const family of families) {
    test(`chooses and gives up what OCM selects: ${family.placement.kind}`, async () => {
      const name = `all-${family.scope.toLowerCase()}`;
      await decide(name, 'lake', 'sea');
      await place(family, name, `west/${name}`);
      assert.equal(await clustersOf(family, name), 'lake sea');
      await decide(name, 'pond', 'sea');
      assert.equal(await clustersOf(family, name), 'pond sea');
      await decide(name);
      assert.equal(await clustersOf(family, name), '');
    });
  }

  test('still obeys its own policy', async () => {
    await decide('two', 'lake', 'sea');
    await place(clusterFamily, 'one', 'west/two', { placementType: 'PickN', numberOfClusters: 1 });
    assert.equal(await clustersOf(clusterFamily, 'one'), 'sea');
    await decide('two', 'lake');
    assert.equal(await clustersOf(clusterFamily, 'one'), 'lake');
  });

  test('keeps its clusters and gets no others while there is no decision, and says so', async () => {
    await decide('gone', 'lake');
    await place(clusterFamily, 'kept', 'west/gone');
    await hub.client.delete(placementDecisions, { namespace: 'west', name: 'gone-decision-1' });
    await hub.settle();
    assert.equal(await clustersOf(clusterFamily, 'kept'), 'lake');
    assert.match(
      await messageOf(clusterFamily, 'kept'),
      /; candidates: Placement west\/gone has no PlacementDecision$/,
    );
  });

  test('follows another source when its annotation changes', async () => {
    await decide('here', 'lake');
    await decide('there', 'pond');
    await place(clusterFamily, 'moves', 'west/here');
    const value = { metadata: { annotations: { [annotation]: 'west/there' } } };
    await hub.client.patch(clusterFamily.placement, { name: 'moves' }, { type: 'merge', value });
    await hub.settle();
    assert.equal(await clustersOf(clusterFamily, 'moves'), 'pond');
  });

  for (const [family, source, problem] of [
    [clusterFamily, 'shop', /must be NAMESPACE\/NAME of a Placement$/],
    [clusterFamily, 'a/b/c', /must be NAMESPACE\/NAME of a Placement$/],
    [families[1], 'east/shop', /the Placement must be in the namespace west$/],
  ] as const) {
    test(`chooses nothing from ${source}`, async () => {
      if (family === undefined) assert.fail('there is no second family');
      const name = `wrong-${source.replaceAll('/', '-')}-${family.scope.toLowerCase()}`;
      await place(family, name, source);
      assert.equal(await clustersOf(family, name), '');
      assert.match(await messageOf(family, name), problem);
    });
  }
});
