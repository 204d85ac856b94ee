import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiErrors, configMaps, type BuiltinsView } from '@flotilla/kube';
import { configMap, ManualClock } from '@flotilla/testkit';
import { failureLogger } from '../failure-logger.testing.ts';
import { FakeViewedCollection } from '../viewed-collection.testing.ts';
import { BuiltinsSource } from './builtins-source.ts';

/** A server whose only kind is ConfigMap. */
function start() {
  const clock = new ManualClock();
  const collection = new FakeViewedCollection();
  const viewBuiltins = (): BuiltinsView => {
    const view = collection.open();
    assert.ok(view);
    return {
      revision: view.revision,
      of: () => view,
      outlines: () => Array.from(view.outlines(), (each) => ({ kind: configMaps, ...each })),
      follow: (changed, ended, after) => view.follow((change) => changed(configMaps, change), ended, after),
    };
  };
  const source = new BuiltinsSource({ viewBuiltins, clock, random: () => 0.5, logger: failureLogger([]) });
  const notifications: string[] = [];
  const listener = {
    changed: (kind: { readonly plural: string }, { key, isGone }: { key: { name: string }; isGone: boolean }) =>
      notifications.push(`${isGone ? '-' : '+'}${kind.plural} ${key.name}`),
    opened: (view: BuiltinsView) =>
      notifications.push(`opened with ${Array.from(view.outlines(), ({ key }) => key.name).join()}`),
  };
  return { clock, collection, source, notifications, start: () => source.start(listener) };
}

describe('a source of built-in kinds', () => {
  test('opens with the existing objects, and notifies of later changes until it stops', () => {
    const { collection, source, notifications, start: open } = start();
    collection.put(configMap('a', {}));
    open();
    collection.put(configMap('b', {}));
    collection.remove({ namespace: 'default', name: 'a' });
    source.stop();
    collection.put(configMap('c', {}));
    assert.deepEqual(notifications, ['opened with a', '+configmaps b', '-configmaps a']);
  });

  test('resumes after the last change when its view ends', async () => {
    const { clock, collection, source, notifications, start: open } = start();
    open();
    collection.put(configMap('a', {}));
    collection.end(new Error('the server restarts'));
    assert.deepEqual([source.failure, source.view], ['the server restarts', undefined]);
    collection.put(configMap('b', {}));
    await clock.advance(1000);
    assert.deepEqual([source.failure, source.view === undefined], [undefined, false]);
    assert.deepEqual(notifications, ['opened with ', '+configmaps a', '+configmaps b']);
  });

  test('opens anew if the changes since its last one have expired', async () => {
    const { clock, collection, notifications, start: open } = start();
    open();
    collection.put(configMap('a', {}));
    collection.end(apiErrors.expired('too old'));
    collection.put(configMap('b', {}));
    await clock.advance(1000);
    assert.deepEqual(notifications, ['opened with ', '+configmaps a', 'opened with a,b']);
  });

  test('retries while the server refuses it', async () => {
    const { clock, collection, source, notifications, start: open } = start();
    collection.refuse = () => {
      throw apiErrors.serviceUnavailable('stopped');
    };
    open();
    await clock.advance(5000);
    assert.equal(source.failure, 'stopped');
    collection.refuse = () => {};
    await clock.advance(60_000);
    assert.deepEqual([source.failure, notifications], [undefined, ['opened with ']]);
  });
});
