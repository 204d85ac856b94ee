import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clusterFamily, clusterResourcePlacements, type PlacementStatus } from '@flotilla/api';
import { startMeasuredHub, type MeasuredHub } from '../../family/measured-hub.testing.ts';
import { placementStatus } from './placement-status.ts';
import { measurePlacements } from './status-metrics.ts';
import { aNamespaceSelector, aPlacement, aPolicySnapshot, aState, now } from './status.testing.ts';

describe('the metric of placements', () => {
  let hub: MeasuredHub['hub'];
  let metrics: MeasuredHub['metrics'];
  let stop: MeasuredHub['stop'];
  before(async () => {
    ({ hub, metrics, stop } = await startMeasuredHub(measurePlacements));
  });
  after(() => stop());

  /** Without name and namespace: generation, type, status, reason. */
  function series(): string[] {
    const lines = metrics.text().split('\n');
    const found = lines.filter((line) => line.startsWith('fleet_workload_placement_status_last_timestamp_seconds{'));
    return found.map((line) => [...line.matchAll(/"([^"]*)"/g)].map(([, value]) => value).join(' '));
  }

  async function write(status: PlacementStatus): Promise<void> {
    const value = { status };
    await hub.client.patch(
      clusterResourcePlacements,
      { name: 'web' },
      { type: 'merge', value },
      { subresource: 'status' },
    );
    await hub.settle();
  }

  const statusAt = (changes: Parameters<typeof aState>[2] = {}) =>
    placementStatus(
      aState(clusterFamily, ['sea'], {
        placement: { ...aPlacement(clusterFamily), metadata: { name: 'web', generation: 1 } },
        policySnapshot: aPolicySnapshot(clusterFamily, [{ clusterName: 'sea', selected: true, reason: '' }], {
          observedCRPGeneration: 1,
        }),
        ...changes,
      }),
      now,
    );

  test('has one series for a placement, with its state', async () => {
    const spec = { resourceSelectors: [aNamespaceSelector('web')] };
    await hub.server.create(clusterResourcePlacements, { metadata: { name: 'web' }, spec });
    await hub.settle();
    assert.deepEqual(series(), [' web 1 ClusterResourcePlacementScheduled nil nil']);
    await write(statusAt({ policySnapshot: undefined }));
    assert.deepEqual(series(), [' web 1 ClusterResourcePlacementScheduled Unknown SchedulePending']);
    await write(statusAt({ bindings: [] }));
    assert.deepEqual(series(), [' web 1 ClusterResourcePlacementRolloutStarted Unknown RolloutStartedUnknown']);
    await write(statusAt());
    assert.deepEqual(series(), [' web 1 Completed True Completed']);
  });

  test('loses the series with the placement', async () => {
    await hub.client.delete(clusterResourcePlacements, { name: 'web' });
    await hub.settle();
    assert.deepEqual(series(), []);
  });
});
