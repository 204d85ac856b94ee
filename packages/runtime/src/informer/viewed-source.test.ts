import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient, type Client } from '@flotilla/client';
import { apiErrors, configMaps } from '@flotilla/kube';
import { configMap, ManualClock } from '@flotilla/testkit';
import { LoopTurns } from '@flotilla/timing';
import { failureLogger } from '../failure-logger.testing.ts';
import { FakeViewedCollection } from '../viewed-collection.testing.ts';
import { ScriptedServer } from '../scripted-server.testing.ts';
import { InformerSet } from './informer-set.ts';
import { indexByLabel } from './label-index.ts';
import { openSource } from './viewed-source.ts';

const byTide = { tide: (object: object) => [(object as { data: { tide?: string } }).data.tide ?? 'none'] };

class Fixture {
  readonly clock = new ManualClock();
  readonly collection = new FakeViewedCollection();
  readonly server = new ScriptedServer();
  readonly informers: InformerSet;
  readonly #client: Client;
  readonly notifications: string[] = [];
  readonly failures: unknown[] = [];

  constructor() {
    const { clock } = this;
    const random = (): number => 0.5;
    const client = (this.#client = Object.assign(createClient(this.server, { clock, random }), {
      view: () => this.collection.open(),
    }));
    // A turn of the event loop is over after some 400 objects, however fast the machine is.
    let ms = 0;
    const turns = new LoopTurns(() => (ms += 0.1));
    this.informers = new InformerSet({ client, clock, turns, random, logger: failureLogger(this.failures) });
  }

  /** A source without an informer, and its notifications. */
  open(after?: number) {
    const { clock } = this;
    const logger = failureLogger(this.failures);
    const source = openSource({ client: this.#client, kind: configMaps, clock, random: () => 0.5, logger, after });
    const notifications: string[] = [];
    source.start({
      changed: ({ key, isGone }) => notifications.push(`${isGone ? '-' : '+'}${key.name}`),
      opened: () => notifications.push('opened'),
      synced: () => {},
    });
    return { source, notifications };
  }

  hold() {
    const held = this.informers.hold(configMaps, { indexes: byTide });
    held.informer.subscribe((now, old, isLive) => {
      const name = (now ?? old)?.metadata.name ?? '';
      this.notifications.push(
        `${isLive ? '' : '(existing) '}${now === undefined ? '-' : old === undefined ? '+' : '~'}${name}`,
      );
    });
    return held;
  }
}

describe('a viewed source', () => {
  test('notifies of existing objects, then of every change, and keeps no copies', async () => {
    const fixture = new Fixture();
    const stored = fixture.collection.put(configMap('a', { tide: 'high' }));
    const { informer } = fixture.hold();
    await informer.whenReady();
    fixture.collection.put(configMap('b', { tide: 'low' }));
    fixture.collection.put(configMap('a', { tide: 'low' }));
    fixture.collection.remove({ namespace: 'default', name: 'b' });
    assert.deepEqual(fixture.notifications, ['(existing) +a', '+b', '~a', '-b']);
    assert.deepEqual(
      [...informer.indexed('tide', 'low')].map(({ metadata }) => metadata.name),
      ['a'],
    );
    assert.deepEqual([...informer.indexed('tide', 'high')], []);
    assert.notEqual(informer.get({ namespace: 'default', name: 'a' }), stored);
    assert.deepEqual(fixture.server.requests, []);
  });

  test('shares one informer with callers that want only metadata, since nothing is copied', async () => {
    const fixture = new Fixture();
    const full = fixture.informers.hold(configMaps);
    const partial = fixture.informers.hold(configMaps, { metadataOnly: true });
    assert.equal(full.informer, partial.informer);
    await full.release();
    assert.deepEqual(fixture.informers.names(), ['configmaps/v1']);
    await partial.release();
    assert.deepEqual(fixture.informers.names(), []);
  });

  test('opens another view when one ends, and misses no change in between', async () => {
    const fixture = new Fixture();
    fixture.collection.put(configMap('a', { tide: 'high' }));
    const { informer } = fixture.hold();
    await fixture.clock.advance(0);
    fixture.collection.end(new Error('configmaps are no longer served as they were'));
    fixture.collection.put(configMap('b', { tide: 'high' }));
    fixture.collection.remove({ namespace: 'default', name: 'a' });
    await fixture.clock.advance(0);
    assert.match(informer.failure ?? '', /no longer served/);
    await fixture.clock.advance(1000);
    assert.deepEqual(fixture.notifications, ['(existing) +a', '+b', '-a']);
    assert.deepEqual(
      [...informer.indexed('tide', 'high')].map(({ metadata }) => metadata.name),
      ['b'],
    );
    assert.equal(informer.failure, undefined);
  });

  test('replays all objects after a gap that is longer than the history', async () => {
    const fixture = new Fixture();
    fixture.collection.put(configMap('a', { tide: 'high' }));
    fixture.collection.put(configMap('b', { tide: 'high' }));
    const { informer } = fixture.hold();
    await fixture.clock.advance(0);
    fixture.collection.end(apiErrors.expired('too long ago'));
    fixture.collection.remove({ namespace: 'default', name: 'a' });
    await fixture.clock.advance(1000);
    assert.deepEqual(fixture.notifications.slice(2), ['(existing) +b']);
    assert.deepEqual([...informer.keysIn('tide', 'high')], ['default/b']);
  });

  test('parses nothing for a follower, which gets only later changes and is called when it missed some', async () => {
    const fixture = new Fixture();
    fixture.collection.put(configMap('a'));
    const { informer } = fixture.informers.hold(configMaps);
    const followed: string[] = [];
    const end = informer.follow({
      changed: ({ key, isGone }) => followed.push(`${isGone ? '-' : '+'}${key.name}`),
      reopened: () => followed.push('reopened'),
    });
    informer.follow({
      changed: () => {
        throw new Error('must not affect the others');
      },
      reopened: () => {},
    });
    fixture.collection.put(configMap('b'));
    fixture.collection.remove({ namespace: 'default', name: 'a' });
    fixture.collection.end(apiErrors.expired('too long ago'));
    await fixture.clock.advance(1000);
    assert.deepEqual(followed, ['+b', '-a', 'reopened']);
    assert.equal(fixture.failures.length, 2);
    end();
    fixture.collection.put(configMap('c'));
    assert.equal(followed.length, 3);
    assert.deepEqual(
      [...informer.outlines()].map(({ key }) => key.name),
      ['b', 'c'],
    );
  });

  test('waits for a kind that is not served yet', async () => {
    const fixture = new Fixture();
    fixture.collection.refuse = () => {
      throw apiErrors.unknownPath();
    };
    const { informer } = fixture.hold();
    await fixture.clock.advance(60_000);
    assert.equal(informer.isSynced, false);
    fixture.collection.refuse = () => {};
    await fixture.clock.advance(30_000);
    assert.equal(informer.isSynced, true);
  });

  test('lists and watches a kind that cannot be viewed', async () => {
    const fixture = new Fixture();
    fixture.collection.isViewable = false;
    fixture.server.put('/api/v1/configmaps', configMap('a', { tide: 'high' }));
    const { informer } = fixture.hold();
    await fixture.clock.advance(0);
    fixture.server.put('/api/v1/configmaps', configMap('b', { tide: 'high' }));
    await fixture.clock.advance(0);
    assert.deepEqual(fixture.notifications, ['(existing) +a', '+b']);
    assert.equal(informer.size, 2);
    assert.equal(informer.countIn('tide', 'high'), 2);
  });

  test('continues where an earlier source of the same objects was stopped', async () => {
    const fixture = new Fixture();
    const first = fixture.open();
    fixture.collection.put(configMap('a'));
    await first.source.stop();
    fixture.collection.put(configMap('b'));
    fixture.collection.remove({ namespace: 'default', name: 'a' });
    const second = fixture.open(first.source.revision);
    assert.deepEqual(first.notifications, ['opened', '+a']);
    assert.deepEqual(second.notifications, ['+b', '-a']);
    await second.source.stop();
  });

  test('calls opened if it cannot continue', async () => {
    const fixture = new Fixture();
    const { source, notifications } = fixture.open(1);
    fixture.collection.end(apiErrors.expired('too long ago'));
    await fixture.clock.advance(1000);
    assert.deepEqual(notifications, ['opened']);
    await source.stop();
    assert.equal(fixture.clock.pending, 0);
  });

  test('has the same outlines as the listed source, without parsing', async () => {
    for (const isViewable of [true, false]) {
      const fixture = new Fixture();
      fixture.collection.isViewable = isViewable;
      const stored = fixture.collection.put(configMap('a'));
      const listed = fixture.server.put('/api/v1/configmaps', configMap('a'));
      const { uid = '' } = (isViewable ? stored : listed).metadata;
      const { source } = fixture.open();
      await fixture.clock.advance(0);
      const key = { namespace: 'default', name: 'a' };
      assert.equal(source.isView, isViewable);
      assert.deepEqual([...source.outlines()], [{ key, outline: { uid } }]);
      assert.deepEqual(source.outline(key), { uid });
      await source.stop();
    }
  });

  test('opens no other view once it is stopped', async () => {
    const fixture = new Fixture();
    const { source, notifications } = fixture.open();
    fixture.collection.end(new Error('over'));
    await source.stop();
    fixture.collection.put(configMap('a'));
    await fixture.clock.advance(60_000);
    assert.deepEqual(notifications, ['opened']);
    assert.equal(fixture.clock.pending, 0);
  });

  test('stops with its last holder', async () => {
    const fixture = new Fixture();
    const { release } = fixture.hold();
    await fixture.clock.advance(0);
    await release();
    fixture.collection.put(configMap('a'));
    await fixture.clock.advance(60_000);
    assert.deepEqual(fixture.notifications, []);
  });
});

describe('an informer', () => {
  test('replays existing objects to a late listener in several turns, with live changes in between', async () => {
    const fixture = new Fixture();
    for (let n = 0; n < 2000; n++) fixture.collection.put(configMap(`m${n}`));
    const { informer } = fixture.informers.hold(configMaps);
    await informer.whenReady();
    const known = new Map<string, string>();
    informer.subscribe((now, old) => {
      const { name = '' } = (now ?? old)?.metadata ?? {};
      assert.equal(old?.metadata.resourceVersion, known.get(name), 'the old state was notified before');
      if (now === undefined) known.delete(name);
      else known.set(name, now.metadata.resourceVersion ?? '');
    });
    assert.ok(known.size < 1000, 'not all at once');
    fixture.collection.put(configMap('m0', { changed: 'after the replay' }));
    fixture.collection.put(configMap('m1999', { changed: 'before the replay' }));
    fixture.collection.remove({ namespace: 'default', name: 'm1' });
    fixture.collection.remove({ namespace: 'default', name: 'm1998' });
    fixture.collection.remove({ namespace: 'default', name: 'm1997' });
    fixture.collection.put(configMap('m1997', { changed: 'another of the same name' }));
    await fixture.clock.advance(0);
    const there = new Map<string, string>();
    for (const { metadata } of informer.all()) there.set(metadata.name ?? '', metadata.resourceVersion ?? '');
    assert.deepEqual(known, there);
    assert.deepEqual(fixture.failures, []);
  });

  test('keeps notifying the others when a listener throws', async () => {
    const fixture = new Fixture();
    fixture.collection.put(configMap('a'));
    const { informer } = fixture.informers.hold(configMaps, {
      indexes: { broken: () => assert.fail('the index is broken'), ...byTide },
    });
    informer.subscribe(() => assert.fail('the listener is broken'));
    fixture.hold();
    await informer.whenReady();
    fixture.collection.put(configMap('b'));
    assert.deepEqual(fixture.notifications, ['(existing) +a', '+b']);
    assert.equal(informer.countIn('tide', 'none'), 2);
    assert.equal(fixture.failures.length, 4);
  });

  test('builds an index that is added later before it is ready', async () => {
    const fixture = new Fixture();
    for (let n = 0; n < 1200; n++) fixture.collection.put(configMap(`m${n}`, { tide: 'high' }));
    const { informer } = fixture.informers.hold(configMaps);
    await informer.whenReady();
    informer.addIndexes(byTide);
    await informer.whenReady();
    assert.equal(informer.countIn('tide', 'high'), 1200);
  });

  test('builds an index of labels that follows every change', async () => {
    const fixture = new Fixture();
    const labelled = (name: string, tide: string) => {
      const map = configMap(name);
      return { ...map, metadata: { ...map.metadata, labels: { tide } } };
    };
    for (const name of ['a', 'b', 'c']) fixture.collection.put(labelled(name, 'high'));
    const { informer } = fixture.informers.hold(configMaps, { indexes: indexByLabel('tide') });
    await informer.whenReady();
    const high = (): string[] => [...informer.keysIn('label:tide', 'high')];
    assert.deepEqual(high(), ['default/a', 'default/b', 'default/c']);
    fixture.collection.put(labelled('b', 'low'));
    fixture.collection.remove({ namespace: 'default', name: 'c' });
    fixture.collection.put(labelled('d', 'high'));
    assert.deepEqual(high(), ['default/a', 'default/d']);
    assert.deepEqual([...informer.keysIn('label:tide', 'low')], ['default/b']);
  });

  test('keeps metadata by index, of existing objects and of every change', async () => {
    const fixture = new Fixture();
    fixture.collection.put(configMap('a', { tide: 'high' }));
    const { informer } = fixture.informers.hold(configMaps, { indexes: byTide, keepsMetadata: true });
    await informer.whenReady();
    const kept = (): unknown[] => [...informer.indexedMetadata('tide', 'high')];
    assert.deepEqual(kept(), [
      {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { namespace: 'default', name: 'a', uid: 'uid-2', resourceVersion: '2' },
      },
    ]);
    fixture.collection.put(configMap('a', { tide: 'high', moon: 'full' }));
    fixture.collection.put(configMap('b', { tide: 'high' }));
    fixture.collection.put(configMap('c', { tide: 'low' }));
    assert.deepEqual(
      [...informer.indexedMetadata('tide', 'high')].map(
        ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`,
      ),
      ['a 3', 'b 4'],
    );
    fixture.collection.remove({ namespace: 'default', name: 'a' });
    assert.equal(kept().length, 1);
  });
});
