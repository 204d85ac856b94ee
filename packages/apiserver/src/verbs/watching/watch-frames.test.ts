import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedFrames } from './watch-frames.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer, Buffer];
const textOf = (frames: Uint8Array[]): string => Buffer.from(joinedFrames(frames)).toString();

test('the same frames are concatenated once', () => {
  assert.equal(joinedFrames([a, b, c]), joinedFrames([a, b, c]));
  assert.equal(joinedFrames([a]), a);
});

test('frames that differ anywhere are concatenated again', () => {
  assert.equal(textOf([a, b, d]), 'abd');
  assert.equal(textOf([a, c, d]), 'acd');
  assert.equal(textOf([a, c]), 'ac');
  assert.equal(textOf([a, c, d, d]), 'acdd');
});
