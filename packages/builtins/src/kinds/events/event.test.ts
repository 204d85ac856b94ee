import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@flotilla/kube';
import { toEventsEvent } from './event-conversion.ts';
import { coreEventKind, eventsEventKind } from './event.ts';

const event: KubeObject = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name: 'e', namespace: 'n' },
  involvedObject: { kind: 'Pod', name: 'p', namespace: 'n' },
  reason: 'Because',
  type: 'Normal',
  reportingComponent: 'kubelet',
};

test('selects events by their object, under the field names of each group', () => {
  const core = coreEventKind.selectableFields?.(event);
  assert.equal(core?.['involvedObject.name'], 'p');
  const events = eventsEventKind.selectableFields?.(toEventsEvent(event));
  assert.equal(events?.['regarding.name'], 'p');
  assert.equal(events?.['reportingController'], 'kubelet');
});

test('the selectable fields of events are those that are announced', () => {
  assert.deepEqual(Object.keys(coreEventKind.selectableFields?.(event) ?? {}), coreEventKind.fieldLabels);
  const announced = eventsEventKind.fieldLabels;
  assert.deepEqual(Object.keys(eventsEventKind.selectableFields?.(toEventsEvent(event)) ?? {}), announced);
});

test('the source of an event without one is its reporter', () => {
  assert.equal(coreEventKind.selectableFields?.(event)['source'], 'kubelet');
  const sourced = { ...event, source: { component: 'scheduler' } };
  assert.equal(coreEventKind.selectableFields?.(sourced)['source'], 'scheduler');
});
