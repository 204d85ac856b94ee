import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@flotilla/kube';
import { toCoreEvent, toEventsEvent } from './event-conversion.ts';

const core: KubeObject = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name: 'e', namespace: 'n' },
  involvedObject: { kind: 'Pod', name: 'p' },
  reason: 'Because',
  message: 'hi',
  source: { component: 'kubelet' },
  firstTimestamp: null,
  lastTimestamp: '2026-01-01T00:00:00Z',
  count: 3,
  type: 'Normal',
  eventTime: null,
  reportingComponent: 'kubelet',
  reportingInstance: 'node',
};

test('an event has other field names in events.k8s.io', () => {
  assert.deepEqual(toEventsEvent(core), {
    kind: 'Event',
    apiVersion: 'events.k8s.io/v1',
    metadata: core.metadata,
    regarding: core['involvedObject'],
    reason: 'Because',
    note: 'hi',
    deprecatedSource: core['source'],
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: '2026-01-01T00:00:00Z',
    deprecatedCount: 3,
    type: 'Normal',
    eventTime: null,
    reportingController: 'kubelet',
    reportingInstance: 'node',
  });
});

test('an event is unchanged after a round trip through the other group', () => {
  assert.deepEqual(toCoreEvent(toEventsEvent(core)), core);
});
