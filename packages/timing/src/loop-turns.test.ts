import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LoopTurns } from './loop-turns.ts';
import { runSteps, type Steps } from './run-steps.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Turns whose clock only advances with `work`. */
function measuredTurns() {
  let now = 0;
  const turns = new LoopTurns(() => now);
  return { turns, work: (ms: number) => void (now += ms) };
}

/** Turns that other work can fill. */
function busyTurns() {
  const { turns, work } = measuredTurns();
  const order: string[] = [];
  const keepBusy = (count: number, ms: number): void =>
    turns.later(() => {
      work(ms);
      order.push('busy');
      if (count > 1) keepBusy(count - 1, ms);
    });
  return { turns, order, keepBusy };
}

describe('pieces of work', () => {
  test('run at once while the turn has time left', () => {
    const { turns } = measuredTurns();
    const done: string[] = [];
    turns.run(() => done.push('first'));
    turns.run(() => done.push('second'));
    assert.deepEqual(done, ['first', 'second']);
  });

  test('run in order and over several turns if one turn has no time for all', async () => {
    const { turns, work } = measuredTurns();
    const order: number[] = [];
    const count = 64;
    const piece = (index: number): void => {
      work(1);
      order.push(index);
      if (index === 0) turns.run(() => order.push(count));
    };
    for (let index = 0; index < count; index++) turns.run(() => piece(index));
    const doneAtOnce = order.length;
    assert.ok(doneAtOnce > 0 && doneAtOnce < count, `${doneAtOnce} pieces at once`);
    await nextTurn();
    assert.ok(order.length > doneAtOnce && order.length < count, `${order.length} pieces after a turn`);
    await turns.whenIdle();
    assert.deepEqual(
      order.filter((index) => index < count),
      Array.from({ length: count }, (_, index) => index),
    );
    assert.ok(order.includes(count));
  });
});

describe('work for later', () => {
  test('never runs in the turn that adds it, even with time left', async () => {
    const { turns } = measuredTurns();
    let turn = 0;
    const ranIn: number[] = [];
    const again = (): void => {
      ranIn.push(turn);
      if (ranIn.length < 3) turns.later(again);
    };
    turns.later(again);
    for (; turn < 4; turn++) await nextTurn();
    assert.deepEqual(ranIn, [0, 1, 2]);
  });

  test('that comes after others gets a few pieces when nothing else waits, and one now and then before', async () => {
    const { turns, order, keepBusy } = busyTurns();
    for (let index = 0; index < 40; index++) turns.afterOthers(() => order.push('after'));
    keepBusy(5, 4);
    await turns.whenIdle();
    const few = Array.from({ length: 32 }, () => 'after');
    const busy = ['busy', 'after', 'busy', 'busy', 'busy', 'after', 'busy'];
    assert.deepEqual(order, [...busy, ...few, ...few.slice(0, 6)]);
  });

  test('that comes after others waits for requests, too', async () => {
    const { turns, order } = busyTurns();
    for (let index = 0; index < 45; index++) void turns.whenToBegin(0)?.then(() => order.push('request'));
    for (let index = 0; index < 3; index++) turns.afterOthers(() => order.push('after'));
    await turns.whenIdle();
    assert.deepEqual(
      order.filter((one, at) => one !== order[at - 1]),
      ['after', 'request', 'after'],
    );
  });

  test('that comes after all waits for a turn without other work, but not for long', async () => {
    const { turns, order, keepBusy } = busyTurns();
    for (const name of ['x', 'y', 'z']) turns.afterAll(() => order.push(name));
    turns.afterOthers(() => order.push('a'));
    keepBusy(5, 8);
    await turns.whenIdle();
    assert.equal(order.join(' '), 'busy a x busy busy y busy busy z');
  });

  test('that needs a spare turn waits for one, or gets one piece in a long time', async () => {
    const { turns, order, keepBusy } = busyTurns();
    for (const name of ['x', 'y', 'z']) turns.whenSpare(() => order.push(name));
    turns.afterAll(() => order.push('a'));
    turns.afterAll(() => order.push('b'));
    keepBusy(13, 9);
    await turns.whenIdle();
    const untilNext = ['a', 'busy', 'busy', 'b', ...Array.from({ length: 9 }, () => 'busy')];
    assert.deepEqual(order, ['busy', 'a', 'x', ...untilNext.slice(1), 'busy', 'y', 'z']);
  });

  test('does not delay a piece that fits into the current turn', () => {
    const { turns } = measuredTurns();
    const done: string[] = [];
    turns.later(() => done.push('later'));
    turns.run(() => done.push('now'));
    assert.deepEqual(done, ['now']);
  });
});

describe('a wait for a turn without work', () => {
  test('ends after the given number of turns at the latest', async () => {
    const { turns, order, keepBusy } = busyTurns();
    keepBusy(9, 8);
    const waits = [2, Infinity].map((maxTurns) => turns.whenIdle(maxTurns).then(() => order.push(`${maxTurns}`)));
    await turns.whenIdle(0);
    assert.equal(order.length, 0);
    await Promise.all(waits);
    assert.equal(order.length, 11);
    assert.ok(order.indexOf('2') < 5, `${order.indexOf('2')} turns`);
    assert.equal(order.at(-1), 'Infinity');
  });

  test('goes on as long as another that has ended has work', async () => {
    const { turns, order, keepBusy } = busyTurns();
    keepBusy(1, 8);
    const wait = async (name: string): Promise<void> => {
      await turns.whenIdle();
      order.push(name);
      keepBusy(2, 8);
    };
    await Promise.all([wait('a'), wait('b')]);
    assert.deepEqual(order, ['busy', 'a', 'busy', 'busy', 'b']);
    await turns.whenIdle();
  });
});

describe('walks through many objects', () => {
  test('alternate when each turn has time for one', async () => {
    const { turns, work } = measuredTurns();
    const log: string[] = [];
    const walk = async (name: string): Promise<void> => {
      for (let step = 0; step < 100; step++) {
        work(0.5);
        if (!turns.isOver()) continue;
        log.push(name);
        await turns.next();
      }
    };
    await Promise.all([walk('a'), walk('b')]);
    assert.deepEqual(log.slice(0, 4), ['a', 'b', 'a', 'b']);
  });

  test('together use no more of a turn than one alone', async () => {
    let now = 0;
    const turns = new LoopTurns(() => now);
    const walk = async (): Promise<void> => {
      for (let step = 0; step < 40; step++) {
        now += 1;
        if (turns.isOverByNow()) await turns.next();
      }
    };
    const walks = Promise.all(Array.from({ length: 10 }, walk));
    await nextTurn();
    const longest: number[] = [];
    for (let turn = 0; turn < 20; turn++) {
      const before = now;
      await nextTurn();
      longest.push(now - before);
    }
    assert.ok(Math.max(...longest) <= 6, `turns took ${longest.join(', ')} ms`);
    await walks;
  });

  test('read the clock more often if objects are large', () => {
    let reads = 0;
    const turns = new LoopTurns(() => ++reads);
    for (let object = 0; object < 100; object++) turns.isOverAfter(300);
    assert.equal(reads, 0);
    turns.isOverAfter(64 * 1024);
    turns.isOverAfter(64 * 1024);
    assert.equal(reads, 2);
  });
});

describe('requests', () => {
  test('begin in order of arrival, a limited number in each turn', async () => {
    const { turns } = measuredTurns();
    const begun: number[] = [];
    const begunAfterTurns: number[] = [];
    for (let request = 0; request < 60; request++) {
      const turn = turns.whenToBegin(0);
      if (turn) void turn.then(() => begun.push(request));
      else begun.push(request);
    }
    for (let turn = 0; turn < 4; turn++) {
      begunAfterTurns.push(begun.length);
      await nextTurn();
    }
    assert.deepEqual(begunAfterTurns, [20, 40, 60, 60]);
    assert.deepEqual(
      begun,
      begun.toSorted((a, b) => a - b),
    );
  });

  test('begin even with a body larger than the limit of a turn', async () => {
    const { turns } = measuredTurns();
    assert.equal(turns.whenToBegin(3 * 1024 * 1024), undefined);
    const next = turns.whenToBegin(3 * 1024 * 1024);
    assert.notEqual(next, undefined);
    await next;
  });

  test('never wait if each turn has one', async () => {
    const { turns } = measuredTurns();
    for (let turn = 0; turn < 30; turn++) {
      assert.equal(turns.whenToBegin(4096), undefined);
      await nextTurn();
    }
  });

  test('begin while other work fills every turn, and do not starve it', async () => {
    const { turns, work } = measuredTurns();
    const stopping = new AbortController();
    let rounds = 0;
    const walk = async (): Promise<void> => {
      for (; !stopping.signal.aborted; rounds++) {
        work(1);
        if (turns.isOverByNow()) await turns.next();
      }
    };
    const walking = walk();
    await Promise.all(Array.from({ length: 60 }, async () => turns.whenToBegin(0)));
    stopping.abort();
    assert.ok(rounds >= 10, `${rounds} rounds`);
    await walking;
  });
});

describe('steps', () => {
  test('begin in a new turn, and yield when the turn is over', async () => {
    const { turns, work } = measuredTurns();
    let done = 0;
    function* steps(): Steps<string> {
      for (; done < 12; done++) {
        work(1);
        yield;
      }
      return 'made';
    }
    const made = runSteps(turns, steps());
    const doneAfterTurns: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      doneAfterTurns.push(done);
      await nextTurn();
    }
    assert.equal(await made, 'made');
    assert.equal(doneAfterTurns[0], 0);
    assert.ok(new Set(doneAfterTurns).size >= 3, doneAfterTurns.join(', '));
  });
});
