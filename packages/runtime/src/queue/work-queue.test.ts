import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MetricsRegistry } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { ShiftedClock } from '@flotilla/timing';
import * as fc from 'fast-check';
import { QueueMetrics } from './queue-metrics.ts';
import { WorkQueue, type Priority } from './work-queue.ts';

function aQueue(clock = new ManualClock()): WorkQueue {
  return new WorkQueue({ clock, onReady: () => {} });
}

function takeAll(queue: WorkQueue): string[] {
  const taken: string[] = [];
  for (let key = queue.take(); key !== undefined; key = queue.take()) {
    taken.push(key);
    queue.done(key);
  }
  return taken;
}

describe('a work queue', () => {
  test('returns keys in the order of their addition, each once', () => {
    const queue = aQueue();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    assert.deepEqual(takeAll(queue), ['a', 'b', 'c']);
  });

  test('returns a key that was added while in work only after that', () => {
    const queue = aQueue();
    queue.add('a');
    assert.equal(queue.take(), 'a');
    queue.add('a');
    queue.add('a');
    assert.equal(queue.take(), undefined);
    queue.done('a');
    assert.deepEqual(takeAll(queue), ['a']);
  });

  test('lets live changes overtake keys of the first list', () => {
    const queue = aQueue();
    for (const key of ['a', 'b', 'c']) queue.add(key, 'later');
    queue.add('x');
    queue.add('c');
    assert.deepEqual(takeAll(queue), ['x', 'c', 'a', 'b']);
  });

  test('takes every tenth key from the lower priority', () => {
    const queue = aQueue();
    queue.add('later', 'later');
    for (let n = 0; n < 20; n++) queue.add(`now-${n}`);
    assert.equal(takeAll(queue).indexOf('later'), 9);
  });

  test('returns delayed keys when they are due, also if the time of the machine is set back meanwhile', async () => {
    const clock = new ManualClock();
    const shifted = new ShiftedClock(clock);
    const queue = new WorkQueue({ clock: shifted, onReady: () => {} });
    queue.addAfter('a', 100);
    shifted.shiftMs = -60_000;
    await clock.advance(100);
    assert.deepEqual(takeAll(queue), ['a']);
  });

  test('returns delayed keys when they are due, the earliest first', async () => {
    const clock = new ManualClock();
    const queue = aQueue(clock);
    queue.addAfter('c', 300);
    queue.addAfter('a', 100);
    queue.addAfter('b', 200);
    queue.addAfter('c', 50);
    queue.addAfter('a', 1000);
    assert.equal(clock.pending, 1);
    await clock.advance(99);
    assert.deepEqual(takeAll(queue), ['c']);
    await clock.advance(101);
    assert.deepEqual(takeAll(queue), ['a', 'b']);
    await clock.advance(10_000);
    assert.deepEqual(takeAll(queue), []);
    assert.equal(clock.pending, 0);
  });

  test('drops the delay of a key that is taken before', async () => {
    const clock = new ManualClock();
    const queue = aQueue(clock);
    queue.addAfter('a', 100);
    queue.add('a');
    assert.deepEqual(takeAll(queue), ['a']);
    await clock.advance(1000);
    assert.deepEqual(takeAll(queue), []);
  });

  test('does not accumulate replaced delays', async () => {
    const clock = new ManualClock();
    const queue = aQueue(clock);
    for (let n = 0; n < 10_000; n++) {
      queue.addAfter('a', 3_600_000);
      queue.add('a');
      takeAll(queue);
    }
    queue.addAfter('b', 10);
    queue.addAfter('a', 20);
    await clock.advance(30);
    assert.deepEqual(takeAll(queue), ['b', 'a']);
  });

  test('backs off further with each consecutive failure, and resets after a success', async () => {
    const clock = new ManualClock();
    const readyAt: number[] = [];
    const queue = new WorkQueue({ clock, onReady: () => readyAt.push(clock.now()) });
    const delayOfRetry = async (): Promise<number> => {
      const failedAt = clock.now();
      queue.addRateLimited('a');
      await clock.advance(1_000_000);
      takeAll(queue);
      return (readyAt.pop() ?? 0) - failedAt;
    };

    const delays: number[] = [];
    for (let failure = 0; failure < 20; failure++) delays.push(await delayOfRetry());
    assert.deepEqual(delays.slice(0, 5), [5, 10, 20, 40, 80]);
    assert.deepEqual(delays.slice(-3), [655_360, 1_000_000, 1_000_000]);
    queue.forget('a');
    assert.equal(await delayOfRetry(), 5);
  });

  test('retries no more than ten keys a second after a burst of a hundred', async () => {
    const clock = new ManualClock();
    const queue = aQueue(clock);
    for (let n = 0; n < 130; n++) queue.addRateLimited(`key-${n}`);
    await clock.advance(5);
    assert.equal(takeAll(queue).length, 100);
    await clock.advance(995);
    assert.equal(takeAll(queue).length, 10);
    await clock.advance(2000);
    assert.equal(takeAll(queue).length, 20);
  });

  test('returns nothing once it is stopped, and cancels its timers', async () => {
    const clock = new ManualClock();
    const queue = aQueue(clock);
    queue.add('a');
    queue.addAfter('b', 10);
    queue.stop();
    queue.add('c');
    await clock.advance(100);
    assert.deepEqual(takeAll(queue), []);
    assert.equal(clock.pending, 0);
  });

  test('counts in metrics', async () => {
    const clock = new ManualClock();
    const registry = new MetricsRegistry();
    const observer = new QueueMetrics(registry, 'q', () => queue.workedMs());
    const queue = new WorkQueue({ clock, onReady: () => {}, observer });
    queue.add('a');
    queue.add('b', 'later');
    await clock.advance(2000);
    queue.take();
    await clock.advance(3000);
    const text = registry.text();
    assert.match(text, /^workqueue_depth\{name="q",controller="q",priority="-100"\} 1$/m);
    assert.match(text, /^workqueue_depth\{name="q",controller="q",priority="0"\} 0$/m);
    assert.match(text, /^workqueue_adds_total\{name="q",controller="q"\} 2$/m);
    assert.match(text, /^workqueue_queue_duration_seconds_sum\{name="q",controller="q"\} 2$/m);
    assert.match(text, /^workqueue_unfinished_work_seconds\{name="q",controller="q"\} 3$/m);
    queue.done('a');
    assert.match(registry.text(), /^workqueue_work_duration_seconds_sum\{name="q",controller="q"\} 3$/m);
  });

  test('counts a key that is added while in work as waiting from then on', async () => {
    const clock = new ManualClock();
    const registry = new MetricsRegistry();
    const observer = new QueueMetrics(registry, 'q', () => queue.workedMs());
    const queue = new WorkQueue({ clock, onReady: () => {}, observer });
    queue.add('a', 'later');
    queue.add('a');
    queue.take();
    await clock.advance(1000);
    queue.add('a');
    assert.match(registry.text(), /^workqueue_depth\{name="q",controller="q",priority="0"\} 1$/m);
    await clock.advance(2000);
    assert.equal(queue.done('a'), 3000);
    queue.take();
    const text = registry.text();
    for (const priority of ['0', '-100']) {
      assert.match(text, new RegExp(`^workqueue_depth\\{name="q",controller="q",priority="${priority}"\\} 0$`, 'm'));
    }
    assert.match(text, /^workqueue_adds_total\{name="q",controller="q"\} 2$/m);
    assert.match(text, /^workqueue_queue_duration_seconds_sum\{name="q",controller="q"\} 2$/m);
    assert.match(text, /^workqueue_unfinished_work_seconds\{name="q",controller="q"\} 0$/m);
    queue.add('a');
    queue.stop();
    queue.done('a');
    assert.equal(queue.take(), undefined);
    assert.deepEqual([queue.depth, queue.inWork], [0, 0]);
  });
});

type Step =
  | { readonly do: 'add'; readonly key: string; readonly priority: Priority }
  | { readonly do: 'add-after'; readonly key: string; readonly delayMs: number }
  | { readonly do: 'retry'; readonly key: string }
  | { readonly do: 'take' }
  | { readonly do: 'done'; readonly which: number }
  | { readonly do: 'pass'; readonly ms: number };

const priorities: readonly Priority[] = ['now', 'soon', 'later'];
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      key,
      priority: fc.constantFrom(...priorities),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('add-after' as const), key, delayMs: fc.integer({ min: 0, max: 50 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const), key }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('done' as const), which: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 60 }) }) },
);

/** What a queue must know, in its plainest form: three lists, a set and moments. */
class QueueModel {
  readonly waiting: Record<Priority, string[]> = { now: [], soon: [], later: [] };
  readonly inWork = new Set<string>();
  readonly again = new Map<string, Priority>();
  readonly due = new Map<string, number>();
  taken = 0;

  add(name: string, priority: Priority): void {
    const isInWork = this.inWork.has(name);
    const known = isInWork ? this.again.get(name) : priorities.find((one) => this.waiting[one].includes(name));
    if (known !== undefined && priorities.indexOf(known) <= priorities.indexOf(priority)) return;
    if (isInWork) {
      this.again.set(name, priority);
      return;
    }
    for (const one of priorities) this.waiting[one] = this.waiting[one].filter((other) => other !== name);
    this.waiting[priority].push(name);
  }

  delay(name: string, at: number): void {
    this.due.set(name, Math.min(at, this.due.get(name) ?? at));
  }

  take(): string | undefined {
    const order: readonly Priority[] = this.taken % 10 === 9 ? ['later', 'now', 'soon'] : priorities;
    const next = order
      .map((priority) => this.waiting[priority])
      .find((keys) => keys.length > 0)
      ?.shift();
    if (next === undefined) return undefined;
    this.taken++;
    this.inWork.add(next);
    this.due.delete(next);
    return next;
  }

  done(name: string): void {
    this.inWork.delete(name);
    const again = this.again.get(name);
    this.again.delete(name);
    if (again !== undefined) this.add(name, again);
  }

  passUntil(now: number): void {
    const ready = [...this.due].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b);
    for (const [name] of ready) {
      this.due.delete(name);
      this.add(name, 'now');
    }
  }
}

describe('any use of a work queue', () => {
  test('behaves like its model: no key lost, none twice, never two workers on one key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = new ManualClock();
        const queue = aQueue(clock);
        const model = new QueueModel();
        for (const next of steps) await perform(next, { clock, queue, model });
        assert.equal(queue.depth, priorities.flatMap((priority) => model.waiting[priority]).length);
        assert.equal(
          queue.highest,
          priorities.find((priority) => model.waiting[priority].length > 0),
        );
        assert.equal(queue.delayed, model.due.size);
        await finish({ clock, queue, model });
      }),
      { numRuns: 300 },
    );
  });
});

interface Run {
  readonly clock: ManualClock;
  readonly queue: WorkQueue;
  readonly model: QueueModel;
}

async function perform(next: Step, { clock, queue, model }: Run): Promise<void> {
  switch (next.do) {
    case 'add':
      queue.add(next.key, next.priority);
      return model.add(next.key, next.priority);
    case 'add-after':
      queue.addAfter(next.key, next.delayMs);
      return next.delayMs === 0 ? model.add(next.key, 'now') : model.delay(next.key, clock.now() + next.delayMs);
    case 'retry': {
      const failures = queue.failuresOf(next.key);
      queue.addRateLimited(next.key);
      return model.delay(next.key, clock.now() + Math.min(5 * 2 ** failures, 1_000_000));
    }
    case 'take': {
      const held = new Set(model.inWork);
      const taken = queue.take();
      assert.equal(taken, model.take());
      return assert.ok(taken === undefined || !held.has(taken), `${taken} is in work twice`);
    }
    case 'done': {
      const name = [...model.inWork][next.which];
      if (name === undefined) return;
      queue.done(name);
      return model.done(name);
    }
    case 'pass':
      return pass(next.ms, clock, model);
  }
}

/** Millisecond by millisecond, since keys that are due at different moments come in that order. */
async function pass(milliseconds: number, clock: ManualClock, model: QueueModel): Promise<void> {
  const end = clock.now() + milliseconds;
  for (let now = clock.now(); now <= end; now++) model.passUntil(now);
  await clock.advance(milliseconds);
}

/** Whatever was asked for comes out in the end. */
async function finish({ clock, queue, model }: Run): Promise<void> {
  for (const name of model.inWork) {
    queue.done(name);
    model.done(name);
  }
  const expected = new Set([...Object.values(model.waiting).flat(), ...model.due.keys()]);
  await clock.advance(2_000_000_000);
  assert.deepEqual(new Set(takeAll(queue)), expected);
  assert.equal(queue.inWork, 0);
}
