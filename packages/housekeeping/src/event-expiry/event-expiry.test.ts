import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lastChangeOf } from './event-expiry.ts';

const event = { apiVersion: 'v1', kind: 'Event', metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } };

describe('the last change of an event', () => {
  test('is its creation', () => {
    assert.equal(lastChangeOf(event), Date.UTC(2026, 0, 1));
  });

  test('is its newest occurrence', () => {
    assert.equal(lastChangeOf({ ...event, lastTimestamp: '2026-01-01T00:10:00Z' }), Date.UTC(2026, 0, 1, 0, 10));
    const series = { lastObservedTime: '2026-01-01T00:20:00.000000Z' };
    assert.equal(lastChangeOf({ ...event, eventTime: null, series }), Date.UTC(2026, 0, 1, 0, 20));
  });

  test('is its newest write by a field manager', () => {
    const metadata = { ...event.metadata, managedFields: [{ time: '2026-01-01T00:30:00Z' }] };
    assert.equal(lastChangeOf({ ...event, metadata }), Date.UTC(2026, 0, 1, 0, 30));
  });

  test('is 0 if the event has no times', () => {
    assert.equal(lastChangeOf({ apiVersion: 'v1', kind: 'Event', metadata: {} }), 0);
  });
});
