import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterFamily, type FailedPlacement, type PlacementStatus } from '@flotilla/api';
import { placementStatus } from './placement-status.ts';
import { aBinding, aPlacement, aScheduled, aState, available, now, type Progress } from './status.testing.ts';
import { maxStatusBytes } from './trim-status.ts';

/** What etcd takes. */
const maxObjectBytes = 1.5 * 1024 * 1024;

const failed: Progress = { ...available, Applied: 'False' };

function failures(count: number, message = 'the server refused it'): FailedPlacement[] {
  return Array.from({ length: count }, (_, index) => ({
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    namespace: 'team',
    name: `web-${index}`,
    condition: { ...aScheduled('False'), type: 'Applied', message },
  }));
}

function clusters(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `cluster-${index}`);
}

function statusWith(
  names: readonly string[],
  failedPlacements: FailedPlacement[],
  changes: Parameters<typeof aState>[2] = {},
): PlacementStatus {
  const bindings = names.map((name) => aBinding(clusterFamily, name, failed, { status: { failedPlacements } }));
  return placementStatus(aState(clusterFamily, names, { bindings, ...changes }), now);
}

function trimmedText({ conditions = [] }: PlacementStatus): string | undefined {
  return conditions.find(({ type }) => type === 'ClusterResourcePlacementStatusTrimmed')?.message;
}

const bytesOf = (status: PlacementStatus) => Buffer.byteLength(JSON.stringify(status));

/** Of all clusters, without messages. */
function conditionsIn({ placementStatuses = [] }: PlacementStatus): string[] {
  return placementStatuses.flatMap(({ clusterName, conditions = [] }) =>
    conditions.map(({ type, status, reason }) => `${clusterName} ${type} ${status} ${reason}`),
  );
}

describe('a status that nears the limit for stored objects', () => {
  test('is whole below the limit', () => {
    const status = statusWith(clusters(20), failures(100));
    assert.equal(trimmedText(status), undefined);
    assert.ok(status.placementStatuses?.every(({ failedPlacements }) => failedPlacements?.length === 100));
  });

  test('is whole for a thousand clusters without failures', () => {
    const names = clusters(1000).map((name) => `${name}-in-region-westeurope`);
    const state = aState(clusterFamily, names);
    for (const decision of state.policySnapshot?.status?.targetClusters ?? []) {
      decision.reason = `Successfully scheduled resources for placement in "${decision.clusterName}" (affinity score: 0, topology spread score: 0): picked by scheduling policy`;
    }
    const status = placementStatus(state, now);
    assert.equal(trimmedText(status), undefined);
    assert.equal(status.placementStatuses?.length, 1000);
  });

  test('keeps all conditions and the first failures of each cluster, and says what is missing', () => {
    const names = clusters(300);
    const status = statusWith(names, failures(100));
    assert.ok(bytesOf(status) <= maxStatusBytes);
    assert.ok(bytesOf(status) > 0.9 * maxStatusBytes);
    assert.deepEqual(conditionsIn(status), conditionsIn(statusWith(names, [])));
    const kept = status.placementStatuses?.map(({ failedPlacements = [] }) => failedPlacements.length) ?? [];
    assert.ok(Math.min(...kept) > 0);
    const missing = 30_000 - kept.reduce((sum, count) => sum + count, 0);
    assert.equal(
      trimmedText(status),
      `The whole status is too large to store. Left out: ${missing} failed resources. The bindings of the placement have the details of each cluster.`,
    );
  });

  test('stays the same if it is computed again', () => {
    const names = clusters(300);
    const before = statusWith(names, failures(100));
    assert.deepEqual(statusWith(names, failures(100), { placement: aPlacement(clusterFamily, {}, before) }), before);
  });

  test('does not say so any more when it fits again', () => {
    const placement = aPlacement(clusterFamily, {}, statusWith(clusters(300), failures(100)));
    assert.equal(trimmedText(statusWith(['sea'], failures(1), { placement })), undefined);
  });

  test('has short messages if messages alone are too long', () => {
    const names = clusters(1000);
    const message = '"'.repeat(3000);
    const bindings = names.map((name) => {
      const binding = aBinding(clusterFamily, name, failed, { status: { failedPlacements: failures(100, message) } });
      for (const condition of binding.status?.conditions ?? []) condition.message = message;
      return binding;
    });
    const status = placementStatus(aState(clusterFamily, names, { bindings }), now);
    assert.ok(bytesOf(status) <= maxStatusBytes);
    assert.equal(conditionsIn(status).length, 5000);
    const lengths = status.placementStatuses?.[0]?.conditions?.map(({ message }) => message.length) ?? [];
    assert.deepEqual(lengths.slice(0, 4), [0, 0, 0, 0]);
    assert.ok(Number(lengths[4]) > 100);
    assert.match(trimmedText(status) ?? '', /100000 failed resources, the ends of messages\./);
  });

  test('has the first of the selected resources if they alone are too many', () => {
    const selected = Array.from({ length: 40_000 }, (_, index) => ({
      version: 'v1',
      kind: 'Secret',
      name: `s-${index}`,
    }));
    for (const changes of [{ selected }, { selected, policySnapshot: undefined }]) {
      const status = placementStatus(aState(clusterFamily, ['sea'], changes), now);
      assert.ok(bytesOf(status) <= maxStatusBytes);
      const { selectedResources: { length: kept } = [] } = status;
      assert.ok(kept > 10_000);
      assert.match(trimmedText(status) ?? '', new RegExp(`Left out: ${40_000 - kept} selected resources\\.`));
    }
  });

  test('leaves room for a large spec and annotations', () => {
    const placement = aPlacement(clusterFamily);
    placement.metadata.annotations = { note: 'x'.repeat(600_000) };
    const status = statusWith(clusters(300), failures(100), { placement });
    assert.ok(bytesOf({ ...placement, status } as never) < maxObjectBytes);
    assert.equal(conditionsIn(status).length, 1500);
  });
});
