import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectionError } from '@flotilla/client';
import { apiErrors, MetricsRegistry } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { LoopTurns } from '@flotilla/timing';
import { InvariantError, NotYet, UserError } from './failures.ts';
import { loggerTo, metricOf } from './controllers.testing.ts';
import { WorkLoop, type WorkLoopOptions } from './work-loop.ts';

class Fixture {
  readonly clock = new ManualClock();
  readonly metrics = new MetricsRegistry();
  readonly logged: string[] = [];
  /** Keys in the order of their turns. */
  readonly turns: string[] = [];
  readonly loop: WorkLoop;

  constructor(
    turn: (key: string, nth: number) => number | undefined | Promise<number | undefined> = () => undefined,
    options: Partial<WorkLoopOptions> = {},
  ) {
    const { clock, metrics } = this;
    this.loop = new WorkLoop({
      name: 'loop',
      clock,
      metrics,
      logger: loggerTo(this.logged),
      turn: async (key) => turn(key, this.turns.push(key)),
      ...options,
    });
    this.loop.start();
  }

  async run(...keys: readonly string[]): Promise<void> {
    for (const key of keys) this.loop.add(key);
    await this.clock.advance(0);
  }

  metric(series: string): number {
    return metricOf(this.metrics, series);
  }

  result(result: string): number {
    return this.metric(`controller_runtime_reconcile_total{controller="loop",result="${result}"}`);
  }
}

describe('a work loop', () => {
  test('takes each key once, however often it was added', async () => {
    const fixture = new Fixture(undefined, { workers: 2 });
    for (const key of ['a', 'b', 'a']) fixture.loop.add(key);
    assert.equal(fixture.loop.isAtRest, false);
    await fixture.run();
    assert.deepEqual(fixture.turns, ['a', 'b']);
    assert.equal(fixture.loop.isAtRest, true);
    assert.equal(fixture.result('success'), 2);
  });

  test('notifies its observer of every turn and its result', async () => {
    const seen: string[] = [];
    const observer = { began: () => seen.push('began'), ended: (result: string) => seen.push(result) };
    const fixture = new Fixture(
      (_, nth) => {
        if (nth === 2) throw new UserError('Refused', 'refused');
        return undefined;
      },
      { observer },
    );
    await fixture.run('a');
    await fixture.run('b');
    assert.deepEqual(seen, ['began', 'success', 'began', 'error']);
  });

  test('takes a key again that was added while it was in work', async () => {
    const fixture = new Fixture((_, nth) => {
      if (nth === 1) fixture.loop.add('a');
      return undefined;
    });
    await fixture.run('a');
    assert.deepEqual(fixture.turns, ['a', 'a']);
  });

  test('takes nothing before it is started', async () => {
    const clock = new ManualClock();
    const turns: string[] = [];
    const loop = new WorkLoop({
      name: 'loop',
      clock,
      logger: loggerTo([]),
      turn: async (key) => {
        await Promise.resolve();
        turns.push(key);
        return undefined;
      },
    });
    loop.add('a');
    await clock.advance(1000);
    assert.deepEqual(turns, []);
    assert.equal(loop.isAtRest, false);
    loop.start();
    await clock.advance(0);
    assert.deepEqual(turns, ['a']);
  });

  test('requeues a key once when its turn asks for it', async () => {
    const fixture = new Fixture((_, nth) => (nth === 1 ? 5000 : undefined));
    await fixture.run('a');
    await fixture.clock.advance(4999);
    assert.equal(fixture.turns.length, 1);
    assert.equal(fixture.loop.isAtRest, true);
    await fixture.clock.advance(3_600_000);
    assert.equal(fixture.turns.length, 2);
    assert.equal(fixture.result('requeue_after'), 1);
  });

  test('counts and times reconciles under a prefix of its own', async () => {
    const fixture = new Fixture(async () => undefined, { metricsPrefix: 'fleet_workload' });
    await fixture.run('a');
    assert.equal(fixture.metric('fleet_workload_reconcile_total{controller="loop",result="success"}'), 1);
    assert.equal(fixture.metric('fleet_workload_reconcile_errors_total{controller="loop"}'), 0);
    assert.equal(fixture.metric('fleet_workload_reconcile_time_seconds_count{controller="loop"}'), 1);
    assert.equal(fixture.metric('fleet_workload_max_concurrent_reconciles{controller="loop"}'), 1);
    assert.equal(fixture.metric('fleet_workload_active_workers{controller="loop"}'), 0);
  });

  test('never has more keys in work than it has workers', async () => {
    const open: (() => void)[] = [];
    const wait = (): Promise<undefined> => new Promise((resolve) => open.push(() => resolve(undefined)));
    const fixture = new Fixture(wait, { workers: 3 });
    await fixture.run('a', 'b', 'c', 'd');
    assert.deepEqual(fixture.turns, ['a', 'b', 'c']);
    assert.equal(fixture.metric('controller_runtime_active_workers{controller="loop"}'), 3);
    assert.equal(fixture.metric('controller_runtime_max_concurrent_reconciles{controller="loop"}'), 3);
    open.shift()?.();
    await fixture.clock.advance(0);
    assert.deepEqual(fixture.turns, ['a', 'b', 'c', 'd']);
    for (const end of open) end();
    await fixture.clock.advance(0);
    assert.equal(fixture.loop.isAtRest, true);
  });

  test('begins new work after other work of the thread, one key at a time, and what has begun at once', async () => {
    const turns = new LoopTurns();
    const order: string[] = [];
    const fixture = new Fixture((key) => void order.push(key), { workers: 5, turns });
    for (const key of ['a', 'b', 'c']) fixture.loop.add(key, 'soon');
    turns.later(() => {
      order.push('other');
      fixture.loop.add('c');
      turns.later(() => order.push('another'));
    });
    await fixture.run();
    await turns.whenIdle();
    assert.deepEqual(order, ['other', 'c', 'another', 'a', 'b']);
  });

  test('drops a key that may not begin, until it is added again', async () => {
    let isAllowed = false;
    const fixture = new Fixture(undefined, { mayBegin: (key) => key !== 'a' || isAllowed });
    await fixture.run('a', 'b');
    assert.deepEqual(fixture.turns, ['b']);
    isAllowed = true;
    await fixture.run('a');
    assert.deepEqual(fixture.turns, ['b', 'a']);
  });
});

describe('a turn that fails', () => {
  test('through an exception is retried with back-off, counted, and logged as an error', async () => {
    const fixture = new Fixture(() => {
      throw new InvariantError('two of them');
    });
    await fixture.run('a');
    await fixture.clock.advance(1000);
    assert.equal(fixture.metric('controller_runtime_reconcile_errors_total{controller="loop"}'), 8);
    assert.equal(fixture.metric('controller_runtime_reconcile_panics_total{controller="loop"}'), 8);
    assert.equal(fixture.metric('workqueue_retries_total{name="loop",controller="loop"}'), 8);
    assert.deepEqual(
      fixture.logged,
      Array.from({ length: 8 }, () => 'error: reconcile failed a'),
    );
    assert.equal(fixture.loop.failing, 1);
    assert.equal(fixture.loop.lastFailure?.message, 'two of them');
  });

  test('because a server is unreachable is logged as a warning', async () => {
    const fixture = new Fixture((_, nth) => {
      if (nth === 1) throw new ConnectionError('cut', 'cut');
      return undefined;
    });
    await fixture.run('a');
    assert.equal(fixture.loop.failing, 1);
    await fixture.clock.advance(5);
    assert.deepEqual(fixture.logged, ['warn: reconcile failed a']);
    assert.equal(fixture.metric('controller_runtime_reconcile_panics_total{controller="loop"}'), 0);
    assert.equal(fixture.result('error'), 1);
    assert.equal(fixture.loop.failing, 0, 'a success is the end of it');
  });

  test('with a UserError waits for a change', async () => {
    const fixture = new Fixture(() => {
      throw new UserError('NoTide', 'there is no tide');
    });
    await fixture.run('a');
    await fixture.clock.advance(3_600_000);
    assert.deepEqual(fixture.logged, ['info: reconcile refused, waiting for a change a']);
    await fixture.run('a');
    assert.equal(fixture.metric('controller_runtime_terminal_reconcile_errors_total{controller="loop"}'), 2);
    assert.equal(fixture.loop.failing, 0);
  });

  test('with NotYet is requeued after the time that it names', async () => {
    const fixture = new Fixture((_, nth) => {
      if (nth === 1) throw new NotYet('almost', 1000);
      return undefined;
    });
    await fixture.run('a');
    await fixture.clock.advance(999);
    assert.equal(fixture.turns.length, 1);
    await fixture.clock.advance(1);
    assert.equal(fixture.turns.length, 2);
    assert.deepEqual(fixture.logged, []);
    assert.equal(fixture.result('requeue_after'), 1);
  });

  test('through a lost race is requeued soon, without an error', async () => {
    const fixture = new Fixture((_, nth) => {
      if (nth === 1) throw apiErrors.objectModified({ group: '', resource: 'secrets' }, 'a');
      return undefined;
    });
    await fixture.run('a');
    await fixture.clock.advance(5);
    assert.equal(fixture.turns.length, 2);
    assert.equal(fixture.result('requeue'), 1);
    assert.equal(fixture.metric('controller_runtime_reconcile_errors_total{controller="loop"}'), 0);
    assert.deepEqual(fixture.logged, []);
  });

  test('does not delay other keys', async () => {
    let isBroken = true;
    const done: string[] = [];
    const fixture = new Fixture((key) => {
      if (key === 'b' && isBroken) throw new Error('not now');
      done.push(key);
      return undefined;
    });
    await fixture.run('a', 'b', 'c');
    assert.deepEqual(done, ['a', 'c']);
    isBroken = false;
    await fixture.clock.advance(1000);
    assert.deepEqual(done, ['a', 'c', 'b']);
  });

  test('keeps an earlier time that it requested itself', async () => {
    const fixture = new Fixture(
      () => {
        fixture.loop.addAfter('a', 100);
        throw new Error('ill');
      },
      { retryLimits: { firstMs: 60_000, maxMs: 60_000 } },
    );
    await fixture.run('a');
    await fixture.clock.advance(100);
    assert.equal(fixture.turns.length, 2);
    await fixture.loop.stop();
  });
});

describe('a work loop that is stopped', () => {
  test('takes no more keys, and leaves no timer', async () => {
    const fixture = new Fixture(() => 60_000);
    await fixture.run('a');
    fixture.loop.add('b');
    await fixture.loop.stop();
    fixture.loop.add('c');
    await fixture.clock.advance(1_000_000);
    assert.deepEqual(fixture.turns, ['a']);
    assert.equal(fixture.clock.pending, 0);
  });

  test('waits for the keys in work, and does not log their failures', async () => {
    const answer = Promise.withResolvers<undefined>();
    const fixture = new Fixture(() => answer.promise);
    await fixture.run('a');
    let isStopped = false;
    const stopped = fixture.loop.stop().then(() => (isStopped = true));
    await fixture.clock.advance(1000);
    assert.equal(isStopped, false);
    answer.reject(new Error('cut off'));
    await stopped;
    assert.deepEqual(fixture.logged, []);
    assert.equal(fixture.clock.pending, 0);
  });
});
