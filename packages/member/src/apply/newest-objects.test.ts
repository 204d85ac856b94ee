import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { HeldInformer } from '@flotilla/runtime';
import { NewestObjects } from './newest-objects.ts';

type Told = (now: KubeObject | undefined, old: KubeObject | undefined, isLive: boolean) => void;

function aWork(version: number, uid = 'one'): KubeObject {
  const metadata = { name: 'web', namespace: 'fleet-member-paris', uid, resourceVersion: String(version) };
  return { apiVersion: 'placement.kubernetes-fleet.io/v1beta1', kind: 'Work', metadata };
}

const key = { namespace: 'fleet-member-paris', name: 'web' };

describe('the newest objects', () => {
  let shown: Map<string, KubeObject>;
  let tell: Told;
  let told: (string | undefined)[];
  let newest: NewestObjects<KubeObject>;

  beforeEach(() => {
    shown = new Map();
    told = [];
    const informer = {
      isSynced: true,
      trouble: undefined,
      get: (of: ObjectKey) => shown.get(keyText(of)),
      subscribe: (listener: Told) => {
        tell = listener;
        return () => undefined;
      },
    };
    newest = new NewestObjects(informer as unknown as HeldInformer['informer'], (now) =>
      told.push(now?.metadata.resourceVersion),
    );
  });

  function see(now: KubeObject): void {
    const old = shown.get(keyText(key));
    shown.set(keyText(key), now);
    tell(now, old, true);
  }

  function remove(old: KubeObject): void {
    shown.delete(keyText(key));
    tell(undefined, old, true);
  }

  const version = (): string | undefined => newest.get(key)?.metadata.resourceVersion;

  test('are those of the informer, and what is new there is told', () => {
    see(aWork(5));
    assert.equal(version(), '5');
    assert.deepEqual(told, ['5']);
  });

  test('are our own until the informer has caught up, of which nobody is told', () => {
    see(aWork(5));
    newest.wrote(aWork(7));
    assert.equal(version(), '7');
    see(aWork(6));
    assert.equal(version(), '7');
    see(aWork(7));
    assert.equal(version(), '7');
    assert.deepEqual(told, ['5']);
  });

  test("are others' when these come later", () => {
    newest.wrote(aWork(7));
    see(aWork(9));
    assert.equal(version(), '9');
    assert.deepEqual(told, ['9']);
  });

  test('do not go back to what we wrote when the informer was faster', () => {
    see(aWork(9));
    newest.wrote(aWork(7));
    assert.equal(version(), '9');
  });

  test('are told of once, also where a view shows a write before it tells of it', () => {
    shown.set(keyText(key), aWork(7));
    newest.wrote(aWork(7));
    tell(aWork(7), undefined, true);
    assert.deepEqual(told, []);
  });

  test('are those of the informer when a server lost its memory, and with it what we wrote', () => {
    see(aWork(5));
    newest.wrote(aWork(7));
    shown.set(keyText(key), aWork(3));
    tell(aWork(3), aWork(5), false);
    assert.equal(version(), '3');
    see(aWork(4));
    assert.deepEqual(told, ['5', '3', '4']);
  });

  test('are gone when they are deleted, but not by the end of a predecessor', () => {
    newest.wrote(aWork(7));
    remove(aWork(8));
    assert.equal(version(), undefined);
    newest.wrote(aWork(12, 'two'));
    remove(aWork(10));
    assert.equal(version(), '12');
    assert.deepEqual(told, [undefined]);
  });

  test('do not stand still where versions are no numbers', () => {
    const odd = (resourceVersion: string): KubeObject => {
      const work = aWork(0);
      return { ...work, metadata: { ...work.metadata, resourceVersion } };
    };
    newest.wrote(aWork(7));
    see(odd('abc'));
    assert.equal(version(), 'abc');
  });
});
