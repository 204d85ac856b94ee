import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { readLimited } from './body.ts';

describe('a body', () => {
  test('is read as a whole', async () => {
    const stream = new PassThrough();
    const read = readLimited(stream, 10, undefined);
    stream.write('abc');
    stream.end('def');
    assert.equal(Buffer.from(await read).toString(), 'abcdef');
  });

  test('that is too long is refused, and what follows is dropped', async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    const read = readLimited(stream, 5, undefined);
    stream.write('abcdef');
    await assert.rejects(read, /limit is 5/);
    for (let count = 0; count < 10; count++) stream.write('more');
    stream.end();
    await new Promise((resolve) => stream.once('end', resolve));
  });

  test('that the meter does not take is refused, and the meter is asked no more', async () => {
    const stream = new PassThrough();
    const seen: number[] = [];
    const meter = {
      received(bytes: number): void {
        seen.push(bytes);
        if (seen.length === 2) throw new RangeError('enough');
      },
    };
    const read = readLimited(stream, 100, undefined, meter);
    for (const text of ['a', 'bc', 'def']) stream.write(text);
    await assert.rejects(read, /enough/);
    stream.end('ghij');
    await new Promise((resolve) => stream.once('end', resolve));
    assert.deepEqual(seen, [1, 2]);
  });

  test('that comes almost byte by byte is refused once it had many pieces', async () => {
    const stream = new PassThrough();
    const read = readLimited(stream, 1_000_000, undefined);
    for (let count = 0; count < 30_000; count++) stream.write('a');
    await assert.rejects(read, /comes in more than 20000 pieces/);
  });
});
