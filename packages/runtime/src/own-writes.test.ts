import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configMaps, type Kind, type KubeObject } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { aConfigMap } from './controllers.testing.ts';
import type { Informer } from './informer/informer.ts';
import { OwnWrites } from './own-writes.ts';

const key = { namespace: 'default', name: 'a' };
const write = (resourceVersion: string | undefined) => ({ kind: configMaps, key, uid: 'one', resourceVersion });

function mapOf(metadata: KubeObject['metadata']): KubeObject {
  const map = aConfigMap('a');
  return { ...map, metadata: { ...map.metadata, ...metadata } };
}

class Scene {
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
    const scene = new Scene();
    scene.writes.add('a', [write('7'), write('9')]);
    assert.equal(scene.writes.areSeen('b'), true);
    assert.equal(scene.writes.areSeen('a'), false);
    assert.equal(scene.writes.isAwaited, true);
    await scene.show(8);
    assert.deepEqual(scene.seen, []);
    await scene.show(9);
    assert.deepEqual(scene.seen, ['a']);
    assert.equal(scene.writes.areSeen('a'), true);
    assert.equal(scene.clock.pending, 0);
  });

  test('that the informer shows already hold back nothing', () => {
    const scene = new Scene();
    scene.writes.add('a', [write('5')]);
    assert.equal(scene.writes.areSeen('a'), true);
  });

  test('of a kind that is not watched hold back nothing', () => {
    const scene = new Scene();
    scene.writes.add('a', [{ ...write('7'), kind: { ...configMaps, plural: 'others' } }]);
    assert.equal(scene.writes.areSeen('a'), true);
  });

  test('that delete are visible when the object is deleted, terminating or replaced', async () => {
    for (const after of [undefined, mapOf({ uid: 'one', deletionTimestamp: 'now' }), mapOf({ uid: 'two' })]) {
      const scene = new Scene();
      scene.shown = mapOf({ uid: 'one' });
      scene.writes.add('a', [write(undefined)]);
      assert.equal(scene.writes.areSeen('a'), false);
      await scene.show(6, after);
      assert.deepEqual(scene.seen, ['a']);
    }
  });

  test('that do not become visible hold back their key for at most five seconds', async () => {
    const scene = new Scene();
    scene.writes.add('a', [write('7')]);
    assert.equal(scene.writes.areSeen('a'), false);
    await scene.clock.advance(4999);
    assert.deepEqual(scene.seen, []);
    await scene.clock.advance(1);
    assert.deepEqual(scene.seen, ['a']);
    assert.equal(scene.writes.areSeen('a'), true);
  });

  test('are dropped with their timers on stop', async () => {
    const scene = new Scene();
    scene.writes.add('a', [write('7')]);
    scene.writes.areSeen('a');
    scene.writes.stop();
    await scene.show(7);
    assert.deepEqual(scene.seen, []);
    assert.equal(scene.clock.pending, 0);
  });
});
