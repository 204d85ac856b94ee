import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyPieces } from './body-pieces.ts';

test('a body in small pieces is kept in few buffers', () => {
  const sent = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
  const pieces = new BodyPieces();
  for (let index = 0; index < sent.length; index++) pieces.add(sent.subarray(index, index + 1));
  assert.ok(pieces.count < 10, `${pieces.count} buffers`);
  assert.deepEqual(Buffer.from(pieces.concat()), sent);
});

test('pieces of all sizes stay in order', () => {
  const sent = Buffer.from(Array.from({ length: 60_000 }, (_, index) => index % 251));
  const pieces = new BodyPieces();
  let at = 0;
  for (const size of [10, 5000, 3, 4095, 4096, 16_000, 4000, 4000, 4000, 4000, 4000, 1, 0, 60_000]) {
    pieces.add(sent.subarray(at, at + size));
    at += size;
  }
  assert.deepEqual(Buffer.from(pieces.concat()), sent);
});

test('a body that comes in one piece is not copied', () => {
  const piece = Buffer.from('{}');
  const pieces = new BodyPieces();
  pieces.add(piece);
  assert.equal(pieces.concat(), piece);
  assert.equal(new BodyPieces().concat().length, 0);
});
