import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PerClusterStatus } from '@flotilla/api';
import { clusterSize, detailsSize } from './status-size.ts';
import { aScheduled, earlier } from './status.testing.ts';

const resource = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  namespace: 'team',
  name: 'web',
  envelope: { name: 'e', namespace: 'team', type: 'ResourceEnvelope' as const },
};
const times = { observationTime: earlier, targetClusterObservedGeneration: 123_456 };
const fields = [{ path: '/spec/"x"', valueInMember: 'ü', valueInHub: '\n' }, { path: '/y' }];

const cluster: PerClusterStatus = {
  clusterName: 'sea',
  observedResourceIndex: '12',
  conditions: [aScheduled('True'), { ...aScheduled('False'), message: 'say "no"' }],
  applicableClusterResourceOverrides: ['cro-1', 'cro-2'],
  applicableResourceOverrides: [{ namespace: 'team', name: 'ro-1' }],
  failedPlacements: [{ ...resource, condition: { ...aScheduled('False'), message: '\u0000' } }],
  driftedPlacements: [{ ...resource, ...times, firstDriftedObservedTime: earlier, observedDrifts: fields }],
  diffedPlacements: [{ ...resource, ...times, firstDiffedObservedTime: earlier, observedDiffs: fields }],
};

test('a status is not larger than it is measured, and not much smaller', () => {
  const { plain, settled, open } = clusterSize(cluster);
  const measured = plain + settled + open + detailsSize(cluster, Number.POSITIVE_INFINITY);
  const printed = Buffer.byteLength(JSON.stringify(cluster));
  assert.ok(measured >= printed, `${measured} >= ${printed}`);
  assert.ok(measured < 1.25 * printed, `${measured} < 1.25 * ${printed}`);
});

test('messages are measured by whether they say something that is still open', () => {
  const { settled, open } = clusterSize(cluster);
  assert.equal(settled, '"found all cluster needed"'.length);
  assert.equal(open, '"say \\"no\\""'.length);
});
