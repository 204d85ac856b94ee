import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { silentLogger } from '@flotilla/kube';
import { ControllersOnChange, RestingStore } from './start-on-change.ts';

/** A store that only knows how often it has changed. */
function changingStore() {
  const changed = Promise.withResolvers<void>();
  const store = {
    revision: 7,
    waitFor: (_revision: number, signal: AbortSignal) => {
      signal.addEventListener('abort', () => changed.reject(signal.reason as Error));
      return changed.promise;
    },
    change: () => {
      store.revision++;
      changed.resolve();
    },
  };
  return store;
}

function controllersOf(store: RestingStore) {
  const seen = { starts: 0, stops: 0 };
  const start = async () => {
    seen.starts++;
    return { isAtRest: () => true, stop: async () => void seen.stops++ };
  };
  return { seen, controllers: new ControllersOnChange(store, start, silentLogger) };
}

describe('controllers of a store that is a copy', () => {
  test('start with its first change, and are at rest before', async () => {
    const store = changingStore();
    const { seen, controllers } = controllersOf(new RestingStore(store));
    await setImmediate();
    assert.deepEqual([seen.starts, controllers.isAtRest(), await controllers.running()], [0, true, undefined]);
    store.change();
    assert.ok(await controllers.running());
    await controllers.stop();
    assert.deepEqual(seen, { starts: 1, stops: 1 });
  });
});

describe('controllers of a store that has had some before', () => {
  test('start in their turn, and are not at rest before', async () => {
    const turn = Promise.withResolvers<void>();
    const { seen, controllers } = controllersOf(new RestingStore(changingStore(), turn.promise));
    await setImmediate();
    assert.deepEqual([seen.starts, controllers.isAtRest()], [0, false]);
    turn.resolve();
    await controllers.started;
    assert.deepEqual([seen.starts, controllers.isAtRest()], [1, true]);
    await controllers.stop();
  });

  test('start sooner with a change', async () => {
    const store = changingStore();
    const { seen, controllers } = controllersOf(new RestingStore(store, new Promise(() => undefined)));
    store.change();
    await controllers.started;
    assert.equal(seen.starts, 1);
    await controllers.stop();
  });

  test('never start after a stop', async () => {
    const turn = Promise.withResolvers<void>();
    const { seen, controllers } = controllersOf(new RestingStore(changingStore(), turn.promise));
    await controllers.stop();
    turn.resolve();
    await controllers.started;
    assert.deepEqual(seen, { starts: 0, stops: 0 });
  });
});
