import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { CallerThrottle } from './caller-throttle.ts';

const stepMs = 0.25;

/** A throttle on a machine where work takes `factor` times as long as estimated. */
class TestThrottle {
  readonly clock = new ManualClock();
  readonly #factor: number;
  #busyMs = 0;
  readonly throttle = new CallerThrottle(this.clock, () => this.#busyMs);

  constructor(factor = 1) {
    this.#factor = factor;
  }

  send(caller: string | undefined, count: number): void {
    for (let index = 0; index < count; index++) {
      this.throttle.requested(caller);
      this.throttle.entered(caller);
    }
  }

  /** Begins requests of the caller as long as it is not held, and returns how long they took. */
  useUp(caller: string, maxMs = 100): number {
    let used = 0;
    for (; used < maxMs && !this.throttle.holds(caller); used += stepMs * this.#factor) {
      this.throttle.charge(caller, stepMs);
      this.#busyMs += stepMs * this.#factor;
    }
    return used;
  }

  /** The time that the caller used in a second, while another sends a request every ten milliseconds. */
  async usedInSecond(caller: string, other: string): Promise<number> {
    let used = 0;
    for (let ms = 0; ms < 1000; ms++) {
      if (ms % 10 === 0) this.throttle.requested(other);
      used += this.useUp(caller);
      await this.clock.advance(1);
    }
    return used;
  }
}

describe('the throttle of callers', () => {
  test('holds no caller that is alone', () => {
    const test = new TestThrottle();
    test.send('jane', 200);
    assert.equal(test.useUp('jane', 100), 100);
  });

  test('holds no caller with few requests', () => {
    const test = new TestThrottle();
    test.send('bob', 1);
    test.send('jane', 8);
    assert.equal(test.useUp('jane', 100), 100);
  });

  test('gives a caller with many requests half the time while another is present', async () => {
    const test = new TestThrottle();
    test.send('jane', 200);
    const used = await test.usedInSecond('jane', 'bob');
    assert.ok(used > 450 && used < 550, `${used}`);
  });

  test('gives it half the time on a slow machine, too', async () => {
    const test = new TestThrottle(3);
    test.send('jane', 200);
    await test.usedInSecond('jane', 'bob');
    const used = await test.usedInSecond('jane', 'bob');
    assert.ok(used > 450 && used < 550, `${used}`);
  });

  test('gives the time in slices, and none for earlier ones', async () => {
    const test = new TestThrottle();
    test.send('jane', 200);
    test.throttle.requested('bob');
    const slices: number[] = [];
    for (const ms of [2, 1, 1, 500, 2]) {
      slices.push(test.useUp('jane'));
      await test.clock.advance(ms);
    }
    assert.deepEqual(slices, [1, 1, 0, 1, 1]);
  });

  test('holds a caller until it has few requests', () => {
    const test = new TestThrottle();
    test.send('jane', 9);
    test.throttle.requested('bob');
    test.useUp('jane');
    assert.equal(test.throttle.holds('jane'), true);
    test.throttle.left('jane');
    assert.equal(test.throttle.holds('jane'), false);
  });

  test('ends a second after the last request of another', async () => {
    const test = new TestThrottle();
    test.send('jane', 200);
    test.throttle.requested('bob');
    await test.clock.advance(999);
    assert.equal(test.useUp('jane'), 1);
    await test.clock.advance(1);
    assert.equal(test.useUp('jane'), 100);
  });

  test('is for callers with few requests: two with many do not hold each other', async () => {
    const test = new TestThrottle();
    for (const caller of ['jane', 'eve']) test.send(caller, 200);
    await test.clock.advance(1000);
    for (const caller of ['jane', 'eve', 'jane']) test.throttle.requested(caller);
    assert.deepEqual([test.useUp('jane'), test.useUp('eve')], [100, 100]);
    test.throttle.requested('bob');
    assert.deepEqual([test.useUp('jane'), test.useUp('eve')], [1, 1]);
  });

  test('neither holds callers in process, nor others because of them', () => {
    const test = new TestThrottle();
    test.send('jane', 200);
    test.send(undefined, 200);
    assert.equal(test.throttle.holds(undefined), false);
    assert.equal(test.useUp('jane'), 100);
  });

  test('calls once when a slice may have come', async () => {
    const test = new TestThrottle();
    let calls = 0;
    const call = (): void => void calls++;
    for (let times = 0; times < 2; times++) test.throttle.whenFree(call);
    await test.clock.advance(1);
    assert.equal(calls, 0);
    await test.clock.advance(100);
    assert.equal(calls, 1);
  });
});
