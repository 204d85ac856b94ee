import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceHashAnnotation, type ResourceSnapshot } from '@flotilla/api';
import { latestMasterOf } from './latest-snapshot.ts';

function snapshot(name: string, index: string, latest?: string, isMaster = true): ResourceSnapshot {
  const labels = {
    'kubernetes-fleet.io/resource-index': index,
    ...(latest !== undefined && { 'kubernetes-fleet.io/is-latest-snapshot': latest }),
  };
  const metadata = { name, labels, ...(isMaster && { annotations: { [resourceHashAnnotation]: 'hash' } }) };
  return { apiVersion: '', kind: '', metadata, spec: { selectedResources: [] } };
}

const cases: readonly [string, readonly ResourceSnapshot[], string | undefined][] = [
  ['of none is none', [], undefined],
  ['is the one with the label', [snapshot('a', '10', 'false'), snapshot('b', '9', 'true')], 'b'],
  ['is the newest by number if two have the label', [snapshot('a', '10', 'true'), snapshot('b', '9', 'true')], 'a'],
  ['is the newest if none has the label', [snapshot('a', '10', 'false'), snapshot('b', '9')], 'a'],
  ['is no further snapshot of a group', [snapshot('a', '1', 'true'), snapshot('b', '2', 'true', false)], 'a'],
  ['has an index', [snapshot('a', '1', 'false'), snapshot('b', 'x', 'true'), snapshot('c', '-1')], 'a'],
  ['is the one with the label if none has an index', [snapshot('a', 'x', 'false'), snapshot('b', 'x', 'true')], 'b'],
];

for (const [claim, snapshots, expected] of cases) {
  test(`the latest snapshot ${claim}`, () => {
    assert.equal(latestMasterOf(snapshots)?.metadata.name, expected);
    assert.equal(latestMasterOf(snapshots.toReversed())?.metadata.name, expected);
  });
}
