import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient, type Client } from '@flotilla/client';
import { apiErrors, configMaps } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { LoopTurns } from '@flotilla/timing';
import { aConfigMap } from '../controllers.testing.ts';
import { failureLogger } from '../failure-logger.testing.ts';
import { FakeViewedCollection } from '../viewed-collection.testing.ts';
import { ScriptedServer } from '../scripted-server.testing.ts';
import { InformerSet } from './informer-set.ts';
import { openSource } from './viewed-source.ts';

const byTide = { tide: (object: object) => [(object as { data: { tide?: string } }).data.tide ?? 'none'] };

class Scene {
  readonly clock = new ManualClock();
  readonly collection = new FakeViewedCollection();
  readonly server = new ScriptedServer();
  readonly informers: InformerSet;
  readonly #client: Client;
  readonly told: string[] = [];
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

  /** A source without an informer, and what it tells. */
  open(after?: number) {
    const { clock } = this;
    const logger = failureLogger(this.failures);
    const source = openSource({ client: this.#client, kind: configMaps, clock, random: () => 0.5, logger, after });
    const told: string[] = [];
    source.start({
      changed: ({ key, isGone }) => told.push(`${isGone ? '-' : '+'}${key.name}`),
      opened: () => told.push('opened'),
      synced: () => {},
    });
    return { source, told };
  }

  hold() {
    const held = this.informers.hold(configMaps, { indexes: byTide });
    held.informer.subscribe((now, old, isLive) => {
      const name = (now ?? old)?.metadata.name ?? '';
      this.told.push(`${isLive ? '' : '(there) '}${now === undefined ? '-' : old === undefined ? '+' : '~'}${name}`);
    });
    return held;
  }
}

describe('a viewed source', () => {
  test('notifies of existing objects, then of every change, and keeps no copies', async () => {
    const scene = new Scene();
    const stored = scene.collection.put(aConfigMap('a', { tide: 'high' }));
    const { informer } = scene.hold();
    await informer.whenReady();
    scene.collection.put(aConfigMap('b', { tide: 'low' }));
    scene.collection.put(aConfigMap('a', { tide: 'low' }));
    scene.collection.remove({ namespace: 'default', name: 'b' });
    assert.deepEqual(scene.told, ['(there) +a', '+b', '~a', '-b']);
    assert.deepEqual(
      [...informer.indexed('tide', 'low')].map(({ metadata }) => metadata.name),
      ['a'],
    );
    assert.deepEqual([...informer.indexed('tide', 'high')], []);
    assert.notEqual(informer.get({ namespace: 'default', name: 'a' }), stored);
    assert.deepEqual(scene.server.requests, []);
  });

  test('shares one informer with callers that want only metadata, since nothing is copied', async () => {
    const scene = new Scene();
    const full = scene.informers.hold(configMaps);
    const partial = scene.informers.hold(configMaps, { metadataOnly: true });
    assert.equal(full.informer, partial.informer);
    await full.release();
    assert.deepEqual(scene.informers.names(), ['configmaps/v1']);
    await partial.release();
    assert.deepEqual(scene.informers.names(), []);
  });

  test('opens another view when one ends, and misses no change in between', async () => {
    const scene = new Scene();
    scene.collection.put(aConfigMap('a', { tide: 'high' }));
    const { informer } = scene.hold();
    await scene.clock.advance(0);
    scene.collection.end(new Error('configmaps are no longer served as they were'));
    scene.collection.put(aConfigMap('b', { tide: 'high' }));
    scene.collection.remove({ namespace: 'default', name: 'a' });
    await scene.clock.advance(0);
    assert.match(informer.trouble ?? '', /no longer served/);
    await scene.clock.advance(1000);
    assert.deepEqual(scene.told, ['(there) +a', '+b', '-a']);
    assert.deepEqual(
      [...informer.indexed('tide', 'high')].map(({ metadata }) => metadata.name),
      ['b'],
    );
    assert.equal(informer.trouble, undefined);
  });

  test('replays all objects after a gap that is longer than the history', async () => {
    const scene = new Scene();
    scene.collection.put(aConfigMap('a', { tide: 'high' }));
    scene.collection.put(aConfigMap('b', { tide: 'high' }));
    const { informer } = scene.hold();
    await scene.clock.advance(0);
    scene.collection.end(apiErrors.expired('too long ago'));
    scene.collection.remove({ namespace: 'default', name: 'a' });
    await scene.clock.advance(1000);
    assert.deepEqual(scene.told.slice(2), ['(there) +b']);
    assert.deepEqual([...informer.keysIn('tide', 'high')], ['default/b']);
  });

  test('waits for a kind that is not served yet', async () => {
    const scene = new Scene();
    scene.collection.refuse = () => {
      throw apiErrors.unknownPath();
    };
    const { informer } = scene.hold();
    await scene.clock.advance(60_000);
    assert.equal(informer.isSynced, false);
    scene.collection.refuse = () => {};
    await scene.clock.advance(30_000);
    assert.equal(informer.isSynced, true);
  });

  test('lists and watches a kind that cannot be viewed', async () => {
    const scene = new Scene();
    scene.collection.isViewable = false;
    scene.server.put('/api/v1/configmaps', aConfigMap('a', { tide: 'high' }));
    const { informer } = scene.hold();
    await scene.clock.advance(0);
    scene.server.put('/api/v1/configmaps', aConfigMap('b', { tide: 'high' }));
    await scene.clock.advance(0);
    assert.deepEqual(scene.told, ['(there) +a', '+b']);
    assert.equal(informer.size, 2);
    assert.equal(informer.keysIn('tide', 'high').size, 2);
  });

  test('continues where an earlier source of the same objects was stopped', async () => {
    const scene = new Scene();
    const first = scene.open();
    scene.collection.put(aConfigMap('a'));
    await first.source.stop();
    scene.collection.put(aConfigMap('b'));
    scene.collection.remove({ namespace: 'default', name: 'a' });
    const second = scene.open(first.source.revision);
    assert.deepEqual(first.told, ['opened', '+a']);
    assert.deepEqual(second.told, ['+b', '-a']);
    await second.source.stop();
  });

  test('calls opened if it cannot continue', async () => {
    const scene = new Scene();
    const { source, told } = scene.open(1);
    scene.collection.end(apiErrors.expired('too long ago'));
    await scene.clock.advance(1000);
    assert.deepEqual(told, ['opened']);
    await source.stop();
    assert.equal(scene.clock.pending, 0);
  });

  test('has the same outlines as the listed source, without parsing', async () => {
    for (const isViewable of [true, false]) {
      const scene = new Scene();
      scene.collection.isViewable = isViewable;
      const stored = scene.collection.put(aConfigMap('a'));
      const listed = scene.server.put('/api/v1/configmaps', aConfigMap('a'));
      const { uid = '' } = (isViewable ? stored : listed).metadata;
      const { source } = scene.open();
      await scene.clock.advance(0);
      const key = { namespace: 'default', name: 'a' };
      assert.equal(source.isView, isViewable);
      assert.deepEqual([...source.outlines()], [{ key, outline: { uid } }]);
      assert.deepEqual(source.outline(key), { uid });
      await source.stop();
    }
  });

  test('opens no other view once it is stopped', async () => {
    const scene = new Scene();
    const { source, told } = scene.open();
    scene.collection.end(new Error('over'));
    await source.stop();
    scene.collection.put(aConfigMap('a'));
    await scene.clock.advance(60_000);
    assert.deepEqual(told, ['opened']);
    assert.equal(scene.clock.pending, 0);
  });

  test('stops with its last holder', async () => {
    const scene = new Scene();
    const { release } = scene.hold();
    await scene.clock.advance(0);
    await release();
    scene.collection.put(aConfigMap('a'));
    await scene.clock.advance(60_000);
    assert.deepEqual(scene.told, []);
  });
});

describe('an informer', () => {
  test('replays existing objects to a late listener in several turns, with live changes in between', async () => {
    const scene = new Scene();
    for (let n = 0; n < 2000; n++) scene.collection.put(aConfigMap(`m${n}`));
    const { informer } = scene.informers.hold(configMaps);
    await informer.whenReady();
    const known = new Map<string, string>();
    informer.subscribe((now, old) => {
      const { name = '' } = (now ?? old)?.metadata ?? {};
      assert.equal(old?.metadata.resourceVersion, known.get(name), 'it was told before what was before');
      if (now === undefined) known.delete(name);
      else known.set(name, now.metadata.resourceVersion ?? '');
    });
    assert.ok(known.size < 1000, 'not all at once');
    scene.collection.put(aConfigMap('m0', { changed: 'after it was told' }));
    scene.collection.put(aConfigMap('m1999', { changed: 'before it was told' }));
    scene.collection.remove({ namespace: 'default', name: 'm1' });
    scene.collection.remove({ namespace: 'default', name: 'm1998' });
    scene.collection.remove({ namespace: 'default', name: 'm1997' });
    scene.collection.put(aConfigMap('m1997', { changed: 'another of the same name' }));
    await scene.clock.advance(0);
    const there = new Map<string, string>();
    for (const { metadata } of informer.all()) there.set(metadata.name ?? '', metadata.resourceVersion ?? '');
    assert.deepEqual(known, there);
    assert.deepEqual(scene.failures, []);
  });

  test('keeps notifying the others when a listener throws', async () => {
    const scene = new Scene();
    scene.collection.put(aConfigMap('a'));
    const { informer } = scene.informers.hold(configMaps, {
      indexes: { broken: () => assert.fail('the index is broken'), ...byTide },
    });
    informer.subscribe(() => assert.fail('the listener is broken'));
    scene.hold();
    await informer.whenReady();
    scene.collection.put(aConfigMap('b'));
    assert.deepEqual(scene.told, ['(there) +a', '+b']);
    assert.equal(informer.keysIn('tide', 'none').size, 2);
    assert.equal(scene.failures.length, 4);
  });

  test('builds an index that is added later before it is ready', async () => {
    const scene = new Scene();
    for (let n = 0; n < 1200; n++) scene.collection.put(aConfigMap(`m${n}`, { tide: 'high' }));
    const { informer } = scene.informers.hold(configMaps);
    await informer.whenReady();
    informer.addIndexes(byTide);
    await informer.whenReady();
    assert.equal(informer.keysIn('tide', 'high').size, 1200);
  });
});
