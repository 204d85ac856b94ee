import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { keyText, type KubeObject, type ObjectKey, type ObjectVersion } from '@flotilla/kube';
import type { Follower, InformerSet, ObjectChange } from '@flotilla/runtime';
import { AppliedObjects, type ObservedObject } from './applied-objects.ts';
import { configMap, kinds } from '../applier.testing.ts';

/** An informer whose objects a test sets. */
class FakeInformer {
  isSynced = true;
  failure: string | undefined;

  get isCurrent(): boolean {
    return this.isSynced && this.failure === undefined;
  }

  holders = 0;
  readonly #objects = new Map<string, KubeObject>();
  readonly #followers = new Set<Follower>();

  version(key: ObjectKey): ObjectVersion | undefined {
    return this.#objects.get(keyText(key))?.metadata;
  }

  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  put(object: KubeObject): void {
    this.#objects.set(keyText(keyOf(object)), object);
    this.#notify(object, false);
  }

  remove(object: KubeObject): void {
    this.#objects.delete(keyText(keyOf(object)));
    this.#notify(object, true);
  }

  /** Loses its place, and has only this object then. */
  reopen(object: KubeObject | undefined): void {
    this.#objects.clear();
    if (object !== undefined) this.#objects.set(keyText(keyOf(object)), object);
    for (const { reopened } of this.#followers) reopened();
  }

  #notify(object: KubeObject, isGone: boolean): void {
    const { uid = '' } = object.metadata;
    const parsed = (): never => assert.fail('parsed a change');
    const change: ObjectChange = {
      key: keyOf(object),
      isGone,
      isLive: true,
      outline: { uid },
      now: parsed,
      old: parsed,
      hasSameOwners: () => false,
    };
    for (const { changed } of this.#followers) changed(change);
  }
}

function keyOf({ metadata: { namespace, name = '' } }: KubeObject): ObjectKey {
  return { namespace, name };
}

function aConfigMap(version: number, uid = 'one', name = 'settings'): KubeObject {
  return configMap(name, {}, { uid, resourceVersion: String(version) });
}

function observed(object: KubeObject | undefined, name = 'settings'): ObservedObject {
  return { kind: kinds.configMap, key: { namespace: 'apps', name }, metadata: object?.metadata };
}

describe('applied objects', () => {
  let informer: FakeInformer;
  let objects: AppliedObjects;
  let enqueued: string[];

  beforeEach(() => {
    informer = new FakeInformer();
    enqueued = [];
    const hold = () => {
      informer.holders++;
      return {
        informer,
        release: () => {
          informer.holders--;
          return Promise.resolve();
        },
      };
    };
    const informers = { hold } as unknown as InformerSet;
    objects = new AppliedObjects({ informers, enqueue: (work) => enqueued.push(work) });
  });

  function round(work: string, ...observed: ObservedObject[]): void {
    objects.beginRound(work);
    objects.endRound(work, observed);
  }

  test('requeue their Work when another client changes them', () => {
    round('web', observed(aConfigMap(5)));
    informer.put(aConfigMap(6));
    assert.deepEqual(enqueued, ['web']);
  });

  test('do not for the write of the round itself, whether its event is late or early', () => {
    round('web', observed(aConfigMap(5)));
    informer.put(aConfigMap(5));
    objects.beginRound('web');
    informer.put(aConfigMap(7));
    objects.endRound('web', [observed(aConfigMap(7))]);
    assert.deepEqual(enqueued, []);
  });

  test('do not for a change older than what the round read', () => {
    round('web', observed(aConfigMap(5)));
    informer.put(aConfigMap(3));
    assert.deepEqual(enqueued, []);
  });

  test('requeue it after the round for a change by another client during the round', () => {
    round('web', observed(aConfigMap(5)));
    objects.beginRound('web');
    informer.put(aConfigMap(8));
    assert.deepEqual(enqueued, []);
    objects.endRound('web', [observed(aConfigMap(7))]);
    assert.deepEqual(enqueued, ['web']);
  });

  test('requeue it when they are deleted, also during a round', () => {
    informer.put(aConfigMap(5));
    round('web', observed(aConfigMap(5)));
    objects.beginRound('web');
    informer.remove(aConfigMap(6));
    objects.endRound('web', [observed(aConfigMap(5))]);
    assert.deepEqual(enqueued, ['web']);
  });

  test('do not for the deletion of an object that the round replaced', () => {
    informer.put(aConfigMap(5));
    round('web', observed(aConfigMap(5)));
    objects.beginRound('web');
    informer.remove(aConfigMap(6));
    objects.endRound('web', [observed(aConfigMap(9, 'two'))]);
    informer.put(aConfigMap(9, 'two'));
    assert.deepEqual(enqueued, []);
  });

  test('requeue it when they are created', () => {
    round('web', observed(undefined));
    informer.put(aConfigMap(5));
    assert.deepEqual(enqueued, ['web']);
  });

  test('requeue it for what an informer missed: another state, or a deletion', () => {
    informer.put(aConfigMap(5));
    round('web', observed(aConfigMap(5)));
    informer.reopen(aConfigMap(5));
    assert.deepEqual(enqueued, []);
    informer.reopen(aConfigMap(6));
    assert.deepEqual(enqueued, ['web']);
    round('web', observed(aConfigMap(6)));
    informer.reopen(undefined);
    assert.deepEqual(enqueued, ['web', 'web']);
  });

  test('requeue every Work that uses them, and no other', () => {
    round('one', observed(aConfigMap(5)));
    round('two', observed(aConfigMap(5)));
    round('three', observed(undefined, 'other'));
    informer.put(aConfigMap(6));
    assert.deepEqual(enqueued, ['one', 'two']);
  });

  test('do not requeue a Work that no longer uses them', () => {
    round('web', observed(aConfigMap(5)));
    round('web', observed(undefined, 'other'));
    informer.put(aConfigMap(6));
    assert.deepEqual(enqueued, []);
  });

  test('stay watched when a round fails', () => {
    round('web', observed(aConfigMap(5)));
    objects.beginRound('web');
    objects.endRound('web');
    informer.put(aConfigMap(6));
    assert.deepEqual(enqueued, ['web']);
  });

  test('share one informer for each kind, released with the last user', () => {
    round('one', observed(aConfigMap(5)), observed(undefined, 'other'));
    round('two', observed(aConfigMap(5)));
    assert.equal(informer.holders, 1);
    objects.forget('one');
    assert.equal(informer.holders, 1);
    objects.forget('two');
    assert.equal(informer.holders, 0);
  });

  test('are unchanged only while nothing changed and the informer is current', () => {
    round('web', observed(aConfigMap(5)));
    assert.equal(objects.areUnchanged('web'), false);
    informer.put(aConfigMap(5));
    assert.equal(objects.areUnchanged('web'), true);
    informer.failure = 'connection refused';
    assert.equal(objects.areUnchanged('web'), false);
    informer.failure = undefined;
    informer.put(aConfigMap(4));
    assert.equal(objects.areUnchanged('web'), false);
  });

  test('are known to be absent only if their kind is watched', () => {
    const absent = { kind: kinds.configMap, key: { namespace: 'apps', name: 'new' } };
    assert.equal(objects.isKnownAbsent(absent), false);
    round('web', observed(aConfigMap(5)));
    assert.equal(objects.isKnownAbsent(absent), true);
    informer.put(aConfigMap(6, 'new', 'new'));
    assert.equal(objects.isKnownAbsent(absent), false);
    informer.isSynced = false;
    assert.equal(objects.isKnownAbsent({ ...absent, key: { namespace: 'apps', name: 'newer' } }), false);
  });

  test('do not requeue their Work repeatedly while the informer is not current', () => {
    informer.put(aConfigMap(5));
    informer.failure = 'connection refused';
    round('web', observed(undefined));
    assert.deepEqual(enqueued, []);
  });
});
