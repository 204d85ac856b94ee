import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceSnapshot } from '@flotilla/api';
import { PlacedResources } from './placed-resources.ts';

const uids = ['1', '2', '3', '4', '5', '6'];

function snapshot(uid: string): ResourceSnapshot {
  const resource = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'app', name: `c${uid}` } };
  return { apiVersion: '', kind: '', metadata: { uid }, spec: { selectedResources: [resource] } };
}

test('a large group of snapshots is read in several turns, and each snapshot once', () => {
  const placed = new PlacedResources();
  const reads: string[] = [];
  const read = (uid: string) => {
    reads.push(uid);
    return snapshot(uid);
  };
  assert.equal(placed.of(uids, read), undefined);
  assert.equal(reads.length, 4);
  const found = placed.of(uids, read);
  assert.deepEqual(
    found?.map(({ name }) => name),
    ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'],
  );
  assert.equal(placed.of(uids, read)?.length, 6);
  assert.deepEqual(reads, uids);
});
