import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { clusterFamily, type Binding } from '@flotilla/api';
import { ManualClock } from '@flotilla/testkit';
import { StartedRollouts } from '../family/started-rollouts.ts';
import { aBinding, started as said } from '../rollout/rollout.testing.ts';
import { FirstRollouts } from './first-rollouts.ts';

const condition = { ...said, observedGeneration: 3 };

describe('the first rollout of a placement', () => {
  let clock: ManualClock;
  let started: StartedRollouts;
  let rollouts: FirstRollouts;
  let woken: string[];
  let stop: () => void;
  const bindingsOf = (placement: string, count: number): Binding[] =>
    Array.from({ length: count }, (_, index) => aBinding(clusterFamily, `${placement}-${index}`));
  const start = (bindings: readonly Binding[]): void => {
    started.announce({ steps: [], started: bindings.map((binding) => ({ binding, spec: {}, condition })) });
  };
  /** A turn of the controller for a placement that may begin. */
  const begin = async (name: string, bindings: readonly Binding[]): Promise<void> => {
    assert.equal(rollouts.mustWait({ name }), false);
    start(bindings);
    await Promise.resolve();
  };
  const report = (bindings: readonly Binding[]): void => {
    for (const binding of bindings) started.changed(undefined, binding);
  };

  beforeEach(() => {
    clock = new ManualClock();
    started = new StartedRollouts(clock);
    rollouts = new FirstRollouts(started, clock);
    woken = [];
    stop = rollouts.source.subscribe(({ name }) => woken.push(name));
  });

  test('begins at once while fewer than 2,000 are in flight, however many it starts', () => {
    start(bindingsOf('a', 1_999));
    assert.equal(rollouts.mustWait({ name: 'b' }), false);
    start(bindingsOf('b', 1_000));
    assert.equal(rollouts.mustWait({ name: 'c' }), true);
    assert.equal(rollouts.source.isAtRest(), false);
  });

  test('begins when those before it have reported, one placement after another', async () => {
    const before = bindingsOf('a', 2_100);
    start(before);
    for (const name of ['b', 'c', 'd']) assert.equal(rollouts.mustWait({ name }), true);
    report(before.slice(0, 100));
    assert.deepEqual(woken, []);
    report(before.slice(100, 101));
    assert.deepEqual(woken, ['b']);
    await begin('b', bindingsOf('b', 100));
    assert.deepEqual(woken, ['b']);
    report(before.slice(101, 201));
    assert.deepEqual(woken, ['b', 'c']);
  });

  test('begins beside a small one that leaves room, or gets no clusters', async () => {
    const before = bindingsOf('a', 2_000);
    start(before);
    for (const name of ['b', 'c', 'd', 'e']) rollouts.mustWait({ name });
    report(before.slice(0, 1));
    await begin('b', []);
    assert.deepEqual(woken, ['b', 'c']);
    await begin('c', bindingsOf('c', 1));
    assert.deepEqual(woken, ['b', 'c']);
    report(before.slice(1, 10));
    assert.deepEqual(woken, ['b', 'c', 'd']);
    await begin('d', bindingsOf('d', 1));
    assert.deepEqual(woken, ['b', 'c', 'd', 'e']);
  });

  test('does not wait behind placements that are gone', async () => {
    const before = bindingsOf('a', 2_000);
    start(before);
    for (const name of ['b', 'c', 'd']) rollouts.mustWait({ name });
    rollouts.forget({ name: 'c' });
    report(before.slice(0, 1));
    assert.deepEqual(woken, ['b']);
    rollouts.forget({ name: 'b' });
    await Promise.resolve();
    assert.deepEqual(woken, ['b', 'd']);
  });

  test('waits for members that do not answer only for some seconds', async () => {
    start(bindingsOf('a', 2_000));
    for (const name of ['b', 'c']) rollouts.mustWait({ name });
    await clock.advance(14_500);
    assert.deepEqual(woken, []);
    await clock.advance(1_600);
    assert.equal(woken[0], 'b');
    await begin('b', []);
    assert.equal(woken.at(-1), 'c');
    await begin('c', []);
    assert.equal(rollouts.source.isAtRest(), true);
  });

  test('waits again where it was in the order if another change wakes it', () => {
    const before = bindingsOf('a', 2_000);
    start(before);
    for (const name of ['b', 'c', 'b']) rollouts.mustWait({ name });
    report(before.slice(0, 1));
    assert.deepEqual(woken, ['b']);
    // Others have started before its turn.
    start(bindingsOf('d', 1));
    assert.equal(rollouts.mustWait({ name: 'b' }), true);
    report(before.slice(1, 2));
    assert.deepEqual(woken, ['b', 'b']);
  });

  test('is forgotten when the controller stops', async () => {
    start(bindingsOf('a', 2_000));
    rollouts.mustWait({ name: 'b' });
    stop();
    await clock.advance(60_000);
    start(bindingsOf('c', 1));
    assert.deepEqual(woken, []);
  });
});
