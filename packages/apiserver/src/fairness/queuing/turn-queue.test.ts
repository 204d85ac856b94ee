import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LoopTurns } from '@flotilla/timing';
import { TurnQueue } from './turn-queue.ts';

const unthrottled = { holds: () => false, charge: () => undefined, whenFree: () => undefined };

describe('requests that need no seat', () => {
  test('of one caller wait for later turns, and those of another do not', async () => {
    const queue = new TurnQueue(new LoopTurns(), unthrottled);
    const waiting = Array.from({ length: 200 }, () => queue.whenToBegin('jane')).filter((turn) => turn !== undefined);
    assert.ok(waiting.length >= 150, `${waiting.length} wait`);
    assert.equal(queue.whenToBegin('bob'), undefined);
    await Promise.all(waiting);
  });

  test('begin in turn, one caller after the other', async () => {
    const queue = new TurnQueue(new LoopTurns(), unthrottled);
    const begun: string[] = [];
    const send = (caller: string, count: number): Promise<void>[] =>
      Array.from({ length: count }, async () => {
        await queue.whenToBegin(caller);
        begun.push(caller);
      });
    const all = [...send('jane', 100), ...send('bob', 30)];
    await Promise.all(all);
    // Bob's last request does not wait for the hundred of Jane.
    assert.ok(begun.lastIndexOf('bob') < 90, `${begun.lastIndexOf('bob')}`);
    assert.equal(begun.length, 130);
  });

  test('are full only for the caller that filled the queue', async () => {
    const queue = new TurnQueue(new LoopTurns(), unthrottled);
    const all = Array.from({ length: 100 }, async () => queue.whenToBegin('jane'));
    assert.deepEqual(
      [queue.isFull('jane', 10), queue.isFull('bob', 10), queue.isFull('jane', 1000)],
      [true, false, false],
    );
    await Promise.all(all);
    assert.equal(queue.isFull('jane', 0), false);
  });

  test('of a caller that is held wait until it is free, and those of others do not', async () => {
    let isHeld = true;
    const free: (() => void)[] = [];
    const throttle = {
      holds: (caller: string | undefined) => isHeld && caller === 'jane',
      charge: () => undefined,
      whenFree: (call: () => void) => void free.push(call),
    };
    const queue = new TurnQueue(new LoopTurns(), throttle);
    let begun = 0;
    const ofJane = Array.from({ length: 20 }, async () => {
      await queue.whenToBegin('jane');
      begun++;
    });
    await Promise.all(Array.from({ length: 40 }, async () => queue.whenToBegin('bob')));
    assert.equal(begun, 0);
    isHeld = false;
    for (const call of free.splice(0)) call();
    await Promise.all(ofJane);
    assert.equal(begun, 20);
  });

  test('are charged to their caller when they begin', async () => {
    const charged: string[] = [];
    const charge = (caller: string | undefined): void => void charged.push(caller ?? '');
    const queue = new TurnQueue(new LoopTurns(), { ...unthrottled, charge });
    await Promise.all(Array.from({ length: 40 }, async () => queue.whenToBegin('jane')));
    assert.deepEqual(
      charged,
      Array.from({ length: 40 }, () => 'jane'),
    );
  });
});
