import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { InformerSet } from '@flotilla/runtime';
import { AppliedObjects, type Sighting } from './applied-objects.ts';
import { kinds } from '../applier.testing.ts';

type Told = (now: KubeObject | undefined, old: KubeObject | undefined, isLive: boolean) => void;

/** An informer that knows what a test tells it. */
class ToldInformer {
  isSynced = true;
  trouble: string | undefined;

  get isCurrent(): boolean {
    return this.isSynced && this.trouble === undefined;
  }

  holders = 0;
  readonly #objects = new Map<string, KubeObject>();
  readonly #listening = new Set<Told>();

  get(key: ObjectKey): KubeObject | undefined {
    return this.#objects.get(keyText(key));
  }

  subscribe(tell: Told): () => void {
    this.#listening.add(tell);
    for (const object of this.#objects.values()) tell(object, undefined, false);
    return () => this.#listening.delete(tell);
  }

  put(object: KubeObject): void {
    const key = keyText(keyOf(object));
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const tell of this.#listening) tell(object, old, true);
  }

  remove(object: KubeObject): void {
    this.#objects.delete(keyText(keyOf(object)));
    for (const tell of this.#listening) tell(undefined, object, true);
  }
}

function keyOf({ metadata: { namespace, name = '' } }: KubeObject): ObjectKey {
  return { namespace, name };
}

function aConfigMap(version: number, uid = 'one', name = 'settings'): KubeObject {
  const metadata = { name, namespace: 'apps', uid, resourceVersion: String(version) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}

function sighting(object: KubeObject | undefined, name = 'settings'): Sighting {
  return { kind: kinds.configMap, key: { namespace: 'apps', name }, metadata: object?.metadata };
}

describe('applied objects', () => {
  let informer: ToldInformer;
  let objects: AppliedObjects;
  let woken: string[];

  beforeEach(() => {
    informer = new ToldInformer();
    woken = [];
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
    objects = new AppliedObjects({ informers, wake: (work) => woken.push(work) });
  });

  function round(work: string, ...sightings: Sighting[]): void {
    objects.beginRound(work);
    objects.endRound(work, sightings);
  }

  test('wake their Work when somebody changes them', () => {
    round('web', sighting(aConfigMap(5)));
    informer.put(aConfigMap(6));
    assert.deepEqual(woken, ['web']);
  });

  test('do not when the change is the one that the round made, told late or early', () => {
    round('web', sighting(aConfigMap(5)));
    informer.put(aConfigMap(5));
    objects.beginRound('web');
    informer.put(aConfigMap(7));
    objects.endRound('web', [sighting(aConfigMap(7))]);
    assert.deepEqual(woken, []);
  });

  test('do not when the change is older than what the round saw', () => {
    round('web', sighting(aConfigMap(5)));
    informer.put(aConfigMap(3));
    assert.deepEqual(woken, []);
  });

  test('wake it after the round when somebody changed them during the round', () => {
    round('web', sighting(aConfigMap(5)));
    objects.beginRound('web');
    informer.put(aConfigMap(8));
    assert.deepEqual(woken, []);
    objects.endRound('web', [sighting(aConfigMap(7))]);
    assert.deepEqual(woken, ['web']);
  });

  test('wake it when they are deleted, also during a round', () => {
    informer.put(aConfigMap(5));
    round('web', sighting(aConfigMap(5)));
    objects.beginRound('web');
    informer.remove(aConfigMap(6));
    objects.endRound('web', [sighting(aConfigMap(5))]);
    assert.deepEqual(woken, ['web']);
  });

  test('do not when what was deleted is what the round replaced', () => {
    informer.put(aConfigMap(5));
    round('web', sighting(aConfigMap(5)));
    objects.beginRound('web');
    informer.remove(aConfigMap(6));
    objects.endRound('web', [sighting(aConfigMap(9, 'two'))]);
    informer.put(aConfigMap(9, 'two'));
    assert.deepEqual(woken, []);
  });

  test('wake it when they appear where there was nothing', () => {
    round('web', sighting(undefined));
    informer.put(aConfigMap(5));
    assert.deepEqual(woken, ['web']);
  });

  test('wake every Work that uses them, and no other', () => {
    round('one', sighting(aConfigMap(5)));
    round('two', sighting(aConfigMap(5)));
    round('three', sighting(undefined, 'other'));
    informer.put(aConfigMap(6));
    assert.deepEqual(woken, ['one', 'two']);
  });

  test('do not wake a Work that has let go of them', () => {
    round('web', sighting(aConfigMap(5)));
    round('web', sighting(undefined, 'other'));
    informer.put(aConfigMap(6));
    assert.deepEqual(woken, []);
  });

  test('stay in use when a round fails', () => {
    round('web', sighting(aConfigMap(5)));
    objects.beginRound('web');
    objects.endRound('web');
    informer.put(aConfigMap(6));
    assert.deepEqual(woken, ['web']);
  });

  test('are followed once for each kind, until the last user goes', () => {
    round('one', sighting(aConfigMap(5)), sighting(undefined, 'other'));
    round('two', sighting(aConfigMap(5)));
    assert.equal(informer.holders, 1);
    objects.forget('one');
    assert.equal(informer.holders, 1);
    objects.forget('two');
    assert.equal(informer.holders, 0);
  });

  test('are as seen while nothing changed and the informer can be believed', () => {
    round('web', sighting(aConfigMap(5)));
    assert.equal(objects.areAsSeen('web'), false);
    informer.put(aConfigMap(5));
    assert.equal(objects.areAsSeen('web'), true);
    informer.trouble = 'the server is gone';
    assert.equal(objects.areAsSeen('web'), false);
    informer.trouble = undefined;
    informer.put(aConfigMap(4));
    assert.equal(objects.areAsSeen('web'), false);
  });

  test('are known to be absent only where their kind is followed', () => {
    const absent = { kind: kinds.configMap, key: { namespace: 'apps', name: 'new' } };
    assert.equal(objects.isKnownAbsent(absent), false);
    round('web', sighting(aConfigMap(5)));
    assert.equal(objects.isKnownAbsent(absent), true);
    informer.put(aConfigMap(6, 'new', 'new'));
    assert.equal(objects.isKnownAbsent(absent), false);
    informer.isSynced = false;
    assert.equal(objects.isKnownAbsent({ ...absent, key: { namespace: 'apps', name: 'newer' } }), false);
  });

  test('of an informer that is stuck do not wake their Work again and again', () => {
    informer.put(aConfigMap(5));
    informer.trouble = 'the server is gone';
    round('web', sighting(undefined));
    assert.deepEqual(woken, []);
  });
});
