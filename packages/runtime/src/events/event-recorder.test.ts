import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient } from '@flotilla/client';
import { apiErrors, silentLogger, type KubeObject } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import type { PlannedEvent } from '../plan.ts';
import { ScriptedServer } from '../scripted-server.testing.ts';
import type { CoreEvent } from './core-event.ts';
import { EventRecorder } from './event-recorder.ts';

const collection = '/api/v1/events';

const web: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'shop', name: 'web', uid: 'u1', resourceVersion: '7' },
};

function scaled(message: string, about = web): PlannedEvent {
  return { about, type: 'Normal', reason: 'Scaled', message };
}

class Fixture {
  readonly clock = new ManualClock();
  readonly server = new ScriptedServer();
  readonly recorder: EventRecorder;
  readonly warnings: unknown[] = [];

  constructor() {
    const { clock, server } = this;
    const random = (): number => 0.5;
    const warn = (...line: unknown[]): void => void this.warnings.push(line);
    const logger = { ...silentLogger, warn };
    this.recorder = new EventRecorder({ client: createClient(server, { clock, random }), clock, random, logger });
  }

  get events(): CoreEvent[] {
    return this.server.list(collection) as CoreEvent[];
  }

  async record(...events: readonly PlannedEvent[]): Promise<void> {
    for (const event of events) this.recorder.record(event, 'scaler');
    await this.recorder.flush();
  }
}

describe('an event recorder', () => {
  test('writes object, reason, message, time and source', async () => {
    const fixture = new Fixture();
    await fixture.record(scaled('to 3'));
    const [{ metadata, ...event } = assert.fail('there is no event')] = fixture.events;
    assert.deepEqual(event, {
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: {
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        uid: 'u1',
        apiVersion: 'apps/v1',
        resourceVersion: '7',
      },
      reason: 'Scaled',
      message: 'to 3',
      source: { component: 'scaler' },
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
      type: 'Normal',
      eventTime: null,
      reportingComponent: 'scaler',
      reportingInstance: '',
    });
    assert.equal(metadata.namespace, 'shop');
    assert.equal(metadata.name, `web.${(BigInt(fixture.clock.now()) * 1_000_000n).toString(16)}`);
  });

  test('puts events about cluster-scoped objects into default', async () => {
    const fixture = new Fixture();
    await fixture.record(scaled('to 3', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'Not_A_DNS_Name' } }));
    assert.equal(fixture.events[0]?.metadata.namespace, 'default');
    assert.match(fixture.events[0]?.metadata.name ?? '', /^event\.[0-9a-f]+$/);
  });

  test('counts the same event again instead of writing another', async () => {
    const fixture = new Fixture();
    await fixture.record(scaled('to 3'));
    await fixture.clock.advance(60_000);
    await fixture.record(scaled('to 3'), scaled('to 3'));
    assert.deepEqual(
      fixture.events.map(({ count, firstTimestamp, lastTimestamp }) => ({ count, firstTimestamp, lastTimestamp })),
      [{ count: 3, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:01:00Z' }],
    );
    assert.deepEqual(
      fixture.server.writes.map((request) => request.split(' ')[0]),
      ['POST', 'PATCH', 'PATCH'],
    );
  });

  test('creates an event again that was deleted before it was repeated', async () => {
    const fixture = new Fixture();
    await fixture.record(scaled('to 3'));
    fixture.server.remove(collection, `shop/${fixture.events[0]?.metadata.name}`);
    await fixture.record(scaled('to 3'));
    assert.deepEqual(
      fixture.events.map(({ count }) => count),
      [2],
    );
  });

  test('combines many events that differ only in their message', async () => {
    const fixture = new Fixture();
    for (let n = 1; n <= 14; n++) await fixture.record(scaled(`to ${n}`));
    const messages = fixture.events.map(({ message, count }) => `${message} ×${count}`);
    assert.deepEqual(messages, [
      ...Array.from({ length: 9 }, (_, n) => `to ${n + 1} ×1`),
      '(combined from similar events): to 14 ×5',
    ]);
  });

  test('stops combining after ten quiet minutes', async () => {
    const fixture = new Fixture();
    for (let n = 1; n <= 9; n++) await fixture.record(scaled(`to ${n}`));
    await fixture.clock.advance(601_000);
    await fixture.record(scaled('to 10'));
    assert.equal(fixture.events.at(-1)?.message, 'to 10');
  });

  test('accepts 25 events about one object, and then one in five minutes', async () => {
    const fixture = new Fixture();
    for (let n = 0; n < 40; n++) await fixture.record(scaled('to 3'));
    assert.equal(fixture.events[0]?.count, 25);
    await fixture.clock.advance(300_000);
    await fixture.record(scaled('to 3'), scaled('to 3'));
    assert.equal(fixture.server.writes.length, 26);
    const other = { ...web, metadata: { ...web.metadata, name: 'other', uid: 'u2' } };
    await fixture.record(scaled('to 3', other));
    assert.equal(fixture.events.length, 2);
  });

  test('retries while the server is unreachable, and keeps the order', async () => {
    const fixture = new Fixture();
    fixture.server.isReachable = false;
    fixture.recorder.record(scaled('first'), 'scaler');
    fixture.recorder.record(scaled('second'), 'scaler');
    await fixture.clock.advance(30_000);
    fixture.server.isReachable = true;
    await fixture.clock.advance(20_000);
    assert.deepEqual(
      fixture.events.map(({ message }) => message),
      ['first', 'second'],
    );
  });

  test('drops what the server refuses, and continues', async () => {
    const fixture = new Fixture();
    fixture.server.before = () => {
      fixture.server.before = () => {};
      throw apiErrors.forbidden({ group: '', resource: 'events' }, '', 'not here');
    };
    await fixture.record(scaled('first'), scaled('second'));
    assert.deepEqual(
      fixture.events.map(({ message }) => message),
      ['second'],
    );
  });

  test('warns of no event in a namespace that is terminating or gone', async () => {
    for (const refusal of [
      apiErrors.forbidden({ group: '', resource: 'events' }, '', 'it is being terminated'),
      apiErrors.notFound({ group: '', resource: 'namespaces' }, 'shop'),
    ]) {
      const fixture = new Fixture();
      fixture.server.before = () => {
        throw refusal;
      };
      await fixture.record(scaled('first'));
      assert.deepEqual([fixture.events, fixture.warnings], [[], []]);
    }
  });

  test('drops events beyond its queue, and logs that once', async () => {
    const fixture = new Fixture();
    const about = (index: number): KubeObject => ({
      ...web,
      metadata: { ...web.metadata, name: `web-${index}`, uid: `u${index}` },
    });
    await fixture.record(...Array.from({ length: 10_200 }, (_, index) => scaled('to 3', about(index))));
    // They are recorded in one turn, before the first is written.
    assert.equal(fixture.events.length, 10_000);
    assert.deepEqual(fixture.warnings, [['event queue full, events dropped', { count: 200 }]]);
  });

  test('stops without waiting for an unreachable server', async () => {
    const fixture = new Fixture();
    fixture.server.isReachable = false;
    fixture.recorder.record(scaled('first'), 'scaler');
    await fixture.clock.advance(0);
    await fixture.recorder.stop();
    assert.equal(fixture.clock.pending, 0);
  });
});
