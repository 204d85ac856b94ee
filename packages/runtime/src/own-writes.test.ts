import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configMaps, type Kind, type KubeObject } from '@flotilla/kube';
import { configMap, ManualClock } from '@flotilla/testkit';
import type { Informer } from './informer/informer.ts';
import { OwnWrites } from './own-writes.ts';

const key = { namespace: 'default', name: 'a' };
const write = (resourceVersion: string | undefined) => ({ kind: configMaps, key, uid: 'one', resourceVersion });

function mapOf(metadata: KubeObject['metadata']): KubeObject {
  const map = configMap('a');
  return { ...map, metadata: { ...map.metadata, ...metadata } };
}

class Fixture {
  readonly clock = new ManualClock();
  revision = 5;
  shown: KubeObject | undefined;
  readonly seen: string[] = [];
  readonly writes = new OwnWrites({
    informerOf: (kind) => this.#informerOf(kind),
    clock: this.clock,
    onSeen: (turn) => this.seen.push(turn),
  });

  async show(revision: number, shown?: KubeObject): Promise<void> {
    this.revision = revision;
    this.shown = shown;
    this.writes.informersChanged();
    await this.clock.advance(0);
  }

  #informerOf(kind: Kind): Informer | undefined {
    const shows = { revision: this.revision, get: () => this.shown };
    return kind.plural === configMaps.plural ? (shows as unknown as Informer) : undefined;
  }
}

describe('own writes', () => {
  test('hold back their key, and no other, until the informer shows all of them', async () => {
    const fixture = new Fixture();
    fixture.writes.add('a', [write('7'), write('9')]);
    assert.equal(fixture.writes.areSeen('b'), true);
    assert.equal(fixture.writes.areSeen('a'), false);
    assert.equal(fixture.writes.isAwaited, true);
    await fixture.show(8);
    assert.deepEqual(fixture.seen, []);
    await fixture.show(9);
    assert.deepEqual(fixture.seen, ['a']);
    assert.equal(fixture.writes.areSeen('a'), true);
    assert.equal(fixture.clock.pending, 0);
  });

  test('that the informer shows already hold back nothing', () => {
    const fixture = new Fixture();
    fixture.writes.add('a', [write('5')]);
    assert.equal(fixture.writes.areSeen('a'), true);
  });

  test('of a kind that is not watched hold back nothing', () => {
    const fixture = new Fixture();
    fixture.writes.add('a', [{ ...write('7'), kind: { ...configMaps, plural: 'others' } }]);
    assert.equal(fixture.writes.areSeen('a'), true);
  });

  test('that delete are visible when the object is deleted, terminating or replaced', async () => {
    for (const after of [undefined, mapOf({ uid: 'one', deletionTimestamp: 'now' }), mapOf({ uid: 'two' })]) {
      const fixture = new Fixture();
      fixture.shown = mapOf({ uid: 'one' });
      fixture.writes.add('a', [write(undefined)]);
      assert.equal(fixture.writes.areSeen('a'), false);
      await fixture.show(6, after);
      assert.deepEqual(fixture.seen, ['a']);
    }
  });

  test('that do not become visible hold back their key for at most five seconds', async () => {
    const fixture = new Fixture();
    fixture.writes.add('a', [write('7')]);
    assert.equal(fixture.writes.areSeen('a'), false);
    await fixture.clock.advance(4999);
    assert.deepEqual(fixture.seen, []);
    await fixture.clock.advance(1);
    assert.deepEqual(fixture.seen, ['a']);
    assert.equal(fixture.writes.areSeen('a'), true);
  });

  test('are dropped with their timers on stop', async () => {
    const fixture = new Fixture();
    fixture.writes.add('a', [write('7')]);
    fixture.writes.areSeen('a');
    fixture.writes.stop();
    await fixture.show(7);
    assert.deepEqual(fixture.seen, []);
    assert.equal(fixture.clock.pending, 0);
  });
});
