import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lastHeardOf } from './last-heard-of.ts';

const event = { apiVersion: 'v1', kind: 'Event', metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } };

describe('an event was last heard of', () => {
  test('when it was made', () => {
    assert.equal(lastHeardOf(event), Date.UTC(2026, 0, 1));
  });

  test('when it happened again', () => {
    assert.equal(lastHeardOf({ ...event, lastTimestamp: '2026-01-01T00:10:00Z' }), Date.UTC(2026, 0, 1, 0, 10));
    const series = { lastObservedTime: '2026-01-01T00:20:00.000000Z' };
    assert.equal(lastHeardOf({ ...event, eventTime: null, series }), Date.UTC(2026, 0, 1, 0, 20));
  });

  test('when somebody wrote to it', () => {
    const metadata = { ...event.metadata, managedFields: [{ time: '2026-01-01T00:30:00Z' }] };
    assert.equal(lastHeardOf({ ...event, metadata }), Date.UTC(2026, 0, 1, 0, 30));
  });

  test('long ago when it does not say', () => {
    assert.equal(lastHeardOf({ apiVersion: 'v1', kind: 'Event', metadata: {} }), 0);
  });
});
