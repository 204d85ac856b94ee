import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtoWriter } from './proto-writer.ts';

test('writes ten-byte numbers correctly when the buffer must grow for them', () => {
  for (let before = 1000; before <= 1024; before++) {
    const writer = new ProtoWriter();
    writer.raw(new Uint8Array(before));
    writer.signed(-1);
    const expected = [...Array<number>(9).fill(255), 1, ...new Uint8Array(before)];
    assert.deepEqual([...writer.finish()], expected);
  }
});
