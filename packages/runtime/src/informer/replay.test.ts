import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ObjectKey, Outline } from '@flotilla/kube';
import type { ObjectChange, ReadonlyObject } from './object-source.ts';
import { Replay } from './replay.ts';
import { Subscription } from './subscription.ts';

const names = ['a', 'b', 'c', 'd'];

/** Objects by name, and how often each was read. */
class Source {
  readonly present = new Set(names);
  readonly reads: string[] = [];

  *outlines() {
    for (const name of names) yield { key: { name }, outline: {} as Outline };
  }

  get({ name }: ObjectKey): ReadonlyObject | undefined {
    this.reads.push(name);
    return this.present.has(name) ? { apiVersion: 'v1', kind: 'Ship', metadata: { name } } : undefined;
  }
}

/** Every object takes a turn of its own. */
const turns = { isOver: () => true, next: () => new Promise<void>((resolve) => setImmediate(resolve)) };

function subscribed(got: string[]): Subscription {
  return new Subscription((now, old) => got.push((now ?? old)?.metadata.name ?? ''));
}

function change(name: string, isGone = false): ObjectChange {
  const object: ReadonlyObject = { apiVersion: 'v1', kind: 'Ship', metadata: { name } };
  const [now, old] = isGone ? [undefined, object] : [object, undefined];
  const outline = {} as Outline;
  return { key: { name }, isGone, isLive: true, outline, now: () => now, old: () => old, hasSameOwners: () => true };
}

describe('existing objects', () => {
  test('are read once for all subscriptions that begin together', async () => {
    const source = new Source();
    const replay = new Replay(source, turns);
    const all = [[], [], []].map((got: string[]) => ({ got, subscription: subscribed(got) }));
    for (const { subscription } of all) replay.add(subscription);
    for (const { got, subscription } of all) {
      await subscription.whenCaughtUp();
      assert.deepEqual(got, names);
    }
    assert.deepEqual(source.reads, names);
  });

  test('come to one that begins later once each, and only what it missed is read again', async () => {
    const source = new Source();
    const replay = new Replay(source, turns);
    const [first, late]: [string[], string[]] = [[], []];
    const one = subscribed(first);
    replay.add(one);
    while (first.length < 2) await turns.next();
    const other = subscribed(late);
    replay.add(other);
    await one.whenCaughtUp();
    assert.deepEqual(first, names);
    assert.deepEqual(late, ['c', 'd']);
    await other.whenCaughtUp();
    assert.deepEqual(late, ['c', 'd', 'a', 'b']);
    assert.deepEqual(first, names);
    assert.deepEqual(source.reads, [...names, 'a', 'b']);
  });

  test('come once each to one that a listener adds, and to those that begin right after it', async () => {
    const source = new Source();
    const replay = new Replay(source, turns);
    const [first, added, next]: [string[], string[], string[]] = [[], [], []];
    const [other, another] = [subscribed(added), subscribed(next)];
    const one = new Subscription((now) => {
      if (first.push(now?.metadata.name ?? '') === 2) replay.add(other);
    });
    replay.add(one);
    while (first.length < 2) await turns.next();
    replay.add(another);
    await Promise.all([one, other, another].map((subscription) => subscription.whenCaughtUp()));
    assert.deepEqual([first, added.toSorted(), next], [names, names, ['c', 'd', 'a', 'b']]);
  });

  test('are not read for subscriptions that need only their outlines', async () => {
    const source = new Source();
    const replay = new Replay(source, turns);
    const [outlined, whole, live]: [string[], string[], string[]] = [[], [], []];
    const one = new Subscription(
      (now, old) => live.push((now ?? old)?.metadata.name ?? ''),
      ({ key }) => outlined.push(key.name),
    );
    replay.add(one);
    await one.whenCaughtUp();
    assert.deepEqual([outlined, source.reads], [names, []]);
    one.changed(change('a'));
    assert.deepEqual(live, ['a']);
    const other = subscribed(whole);
    replay.restart([one, other]);
    await other.whenCaughtUp();
    assert.deepEqual([outlined, whole, source.reads], [[...names, ...names], names, names]);
  });

  test('are not replayed after a change of them has been seen, nor if they are gone', async () => {
    const source = new Source();
    const replay = new Replay(source, turns);
    const got: string[] = [];
    const subscription = subscribed(got);
    replay.add(subscription);
    subscription.changed(change('d'));
    subscription.changed(change('b', true));
    source.present.delete('c');
    await subscription.whenCaughtUp();
    assert.deepEqual(got, ['d', 'a']);
    subscription.changed(change('d', true));
    assert.deepEqual(got, ['d', 'a', 'd']);
  });

  test('come again after a restart', async () => {
    const replay = new Replay(new Source(), turns);
    const got: string[] = [];
    const subscription = subscribed(got);
    replay.add(subscription);
    while (got.length < 2) await turns.next();
    replay.restart([subscription]);
    await subscription.whenCaughtUp();
    assert.deepEqual(got, ['a', 'b', ...names]);
  });

  test('do not come to a subscription that stops, and nobody waits for it', async () => {
    const replay = new Replay(new Source(), turns);
    const got: string[] = [];
    const subscription = subscribed(got);
    replay.add(subscription);
    while (got.length < 2) await turns.next();
    subscription.stop();
    await subscription.whenCaughtUp();
    for (let turn = 0; turn < names.length; turn++) await turns.next();
    assert.deepEqual(got, ['a', 'b']);
  });
});
