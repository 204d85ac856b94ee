import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BodyQueue } from './body-queue.ts';

describe('a body queue', () => {
  const quiet = { drained: () => undefined, cancelled: () => undefined };
  const piece = (text: string): Uint8Array => Buffer.from(text);

  test('delivers the chunks before its end', async () => {
    const queue = new BodyQueue(quiet);
    queue.push(piece('a'));
    const first = queue.next();
    const second = queue.next();
    queue.push(piece('b'));
    queue.end();
    assert.deepEqual(await Promise.all([first, second, queue.next()]), [
      { value: piece('a'), done: false },
      { value: piece('b'), done: false },
      { value: undefined, done: true },
    ]);
  });

  test('delivers the chunks before its error', async () => {
    const queue = new BodyQueue(quiet);
    queue.push(piece('a'));
    queue.fail(new Error('cut'));
    assert.deepEqual(await queue.next(), { value: piece('a'), done: false });
    await assert.rejects(queue.next(), { message: 'cut' });
  });

  test('drops chunks after its reader stopped', async () => {
    let cancelled = 0;
    const queue = new BodyQueue({ ...quiet, cancelled: () => cancelled++ });
    queue.push(piece('a'));
    await queue.return();
    assert.equal(queue.push(piece('b')), false);
    assert.deepEqual([await queue.next(), cancelled], [{ value: undefined, done: true }, 1]);
    await queue.return();
    assert.equal(cancelled, 1);
  });
});
