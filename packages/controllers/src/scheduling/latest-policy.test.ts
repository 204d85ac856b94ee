import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterFamily, type PolicySnapshot } from '@flotilla/api';
import type { ObjectMeta } from '@flotilla/kube';
import { latestPolicyOf } from './latest-policy.ts';
import { aPlacement, aPolicySnapshot } from './scheduling.testing.ts';

const placement = aPlacement(clusterFamily);

function snapshot(name: string, index: string | undefined, isLatest: boolean, more: ObjectMeta = {}): PolicySnapshot {
  const { metadata, ...rest } = aPolicySnapshot(clusterFamily, undefined, { name, ...more });
  const labels = {
    'kubernetes-fleet.io/is-latest-snapshot': String(isLatest),
    ...(index !== undefined && { 'kubernetes-fleet.io/policy-index': index }),
  };
  return { ...rest, metadata: { ...metadata, labels } };
}

function latest(...snapshots: PolicySnapshot[]): string | undefined {
  return latestPolicyOf(placement, snapshots)?.metadata.name;
}

function owner(uid: string): ObjectMeta {
  const { apiVersion, kind } = placement;
  return { ownerReferences: [{ apiVersion, kind, name: 'shop', uid, controller: true }] };
}

test('the newest snapshot with the label counts, and none while no snapshot has it', () => {
  assert.equal(latest(snapshot('a', '2', true), snapshot('b', '10', true), snapshot('c', '11', false)), 'b');
  assert.equal(latest(snapshot('a', undefined, true)), 'a');
  assert.equal(latest(snapshot('a', '0', false)), undefined);
});

test('a snapshot of an earlier placement of the same name does not count', () => {
  assert.equal(latest(snapshot('a', '3', true, owner('p0')), snapshot('b', '0', true, owner('p1'))), 'b');
  assert.equal(latest(snapshot('a', '3', true, owner('p0'))), undefined);
});
