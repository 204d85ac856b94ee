import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  clusterFamily,
  clusterResourcePlacements,
  clusterResourcePlacementStatuses,
  conditionOf,
  type Placement,
  type PlacementStatus,
} from '@flotilla/api';
import { configMaps, namespaces } from '@flotilla/kube';
import { startTestHub, type TestHub } from '@flotilla/testkit';
import { placementStatus } from '../status/placement-status.ts';
import { aNamespaceSelector, aState, now } from '../status/status.testing.ts';

const key = { namespace: 'web', name: 'web' };

describe('the copy of a status for users of a namespace', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ controllers: ['status-mirror'] });
    for (const name of ['web', 'other']) await hub.server.create(namespaces, { metadata: { name } });
  });
  after(() => hub.stop());

  async function addPlacement(name: string, namespace: string, scope = 'NamespaceAccessible'): Promise<void> {
    const resourceSelectors = [aNamespaceSelector(namespace)];
    const spec = { resourceSelectors, statusReportingScope: scope };
    await hub.server.create(clusterResourcePlacements, { metadata: { name }, spec });
    await hub.settle();
  }

  /** Plays the placement controller. */
  async function write(name: string, status: PlacementStatus): Promise<void> {
    await hub.client.patch(
      clusterResourcePlacements,
      { name },
      { type: 'merge', value: { status } },
      { subresource: 'status' },
    );
    await hub.settle();
  }

  const placement = (name: string) => hub.client.get(clusterResourcePlacements, { name });
  const mirror = () => hub.client.get(clusterResourcePlacementStatuses, key);
  const syncedIn = ({ status }: Placement) => conditionOf(status?.conditions, 'ClusterResourcePlacementStatusSynced');
  const withoutSynced = ({ status }: Placement) => ({
    ...status,
    conditions: status?.conditions?.filter(({ type }) => type !== 'ClusterResourcePlacementStatusSynced'),
  });
  const anAvailable = (...clusters: string[]) => placementStatus(aState(clusterFamily, clusters), now);

  test('is made when the placement has a status', async () => {
    await addPlacement('web', 'web');
    assert.equal(await hub.find(clusterResourcePlacementStatuses, key), undefined);
    await write('web', anAvailable('sea'));
    const source = await placement('web');
    const { metadata, sourceStatus, lastUpdatedTime } = await mirror();
    assert.deepEqual(sourceStatus, withoutSynced(source));
    assert.ok(Date.parse(lastUpdatedTime) <= hub.clock.now());
    assert.deepEqual(metadata.ownerReferences, [
      {
        apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
        kind: 'ClusterResourcePlacement',
        name: 'web',
        uid: source.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    const { status, reason, message, observedGeneration } = syncedIn(source) ?? {};
    assert.deepEqual(
      [status, reason, message, observedGeneration],
      [
        'True',
        'StatusSyncSucceeded',
        "Successfully created or updated ClusterResourcePlacementStatus in namespace 'web'",
        1,
      ],
    );
  });

  test('follows the status, and is not written otherwise', async () => {
    await write('web', anAvailable('sea', 'sky'));
    assert.equal((await mirror()).sourceStatus.placementStatuses?.length, 2);
    const { revision } = hub;
    await hub.stopControllers();
    await hub.startControllers();
    await hub.clock.advance(600_000);
    assert.equal(hub.revision, revision);
  });

  test('comes back if it is deleted or changed by hand', async () => {
    const { sourceStatus } = await mirror();
    await hub.client.delete(clusterResourcePlacementStatuses, key);
    await hub.settle();
    assert.deepEqual((await mirror()).sourceStatus, sourceStatus);
    await hub.client.patch(clusterResourcePlacementStatuses, key, {
      type: 'merge',
      value: { sourceStatus: { conditions: null }, metadata: { labels: { team: 'a' } } },
    });
    await hub.settle();
    const restored = await mirror();
    assert.deepEqual(restored.sourceStatus, sourceStatus);
    assert.deepEqual(restored.metadata.labels, { team: 'a' });
  });

  test('stays where it is while the selector names another namespace', async () => {
    const spec = { resourceSelectors: [aNamespaceSelector('other')] };
    await hub.client.patch(clusterResourcePlacements, { name: 'web' }, { type: 'merge', value: { spec } });
    await hub.settle();
    assert.equal(await hub.find(clusterResourcePlacementStatuses, { ...key, namespace: 'other' }), undefined);
    const back = { resourceSelectors: [aNamespaceSelector('web')] };
    await hub.client.patch(clusterResourcePlacements, { name: 'web' }, { type: 'merge', value: { spec: back } });
    await hub.settle();
    assert.equal(syncedIn(await placement('web'))?.observedGeneration, 3);
  });

  test('is not made for other placements', async () => {
    await addPlacement('private', 'other', 'ClusterScopeOnly');
    await write('private', anAvailable('sea'));
    assert.equal(await hub.find(clusterResourcePlacementStatuses, { namespace: 'other', name: 'private' }), undefined);
    assert.equal(syncedIn(await placement('private')), undefined);
  });

  test('says why it cannot be written, until it can', async () => {
    hub.shouldRefuse = ({ method, path }) => method === 'POST' && path.includes('clusterresourceplacementstatuses');
    await addPlacement('refused', 'other');
    await hub.client.patch(
      clusterResourcePlacements,
      { name: 'refused' },
      { type: 'merge', value: { status: { ...anAvailable('sea'), selectedResources: null } } },
      { subresource: 'status' },
    );
    await hub.clock.advance(1000);
    const synced = syncedIn(await placement('refused'));
    assert.deepEqual([synced?.status, synced?.reason], ['False', 'StatusSyncFailed']);
    assert.match(
      synced?.message ?? '',
      /^Failed to create or update ClusterResourcePlacementStatus: error returned by the API server: failed to create or update ClusterResourcePlacementStatus: .*refused by the test/,
    );
    hub.shouldRefuse = () => false;
    await hub.settle();
    assert.equal(syncedIn(await placement('refused'))?.status, 'True');
  });

  test('leaves an object of its name alone that another controller owns', async () => {
    const { metadata } = await hub.server.create(configMaps, { metadata: { namespace: 'other', name: 'tool' } });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'tool', uid: metadata.uid ?? '', controller: true };
    const foreign = { metadata: { namespace: 'other', name: 'foreign', ownerReferences: [owner] } };
    await hub.server.create(clusterResourcePlacementStatuses, {
      ...foreign,
      sourceStatus: {},
      lastUpdatedTime: '2026-01-01T00:00:00Z',
    });
    await addPlacement('foreign', 'other');
    await write('foreign', { conditions: anAvailable('sea').conditions ?? [] });
    assert.equal(
      syncedIn(await placement('foreign'))?.message,
      'Failed to create or update ClusterResourcePlacementStatus: error returned by the API server: failed to create or update ClusterResourcePlacementStatus: Object other/foreign is already owned by another ConfigMap controller tool',
    );
  });
});
