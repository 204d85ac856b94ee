import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeUtf8 } from './utf8.ts';

test('reads text and keeps a byte order mark', () => {
  assert.equal(decodeUtf8(Buffer.from('\ufeffa é 漢 🚀')), '\ufeffa é 漢 🚀');
});

test('replaces every invalid byte', () => {
  assert.equal(decodeUtf8(Uint8Array.of(0x61, 0xff, 0x62)), 'a\ufffdb');
  assert.equal(decodeUtf8(Uint8Array.of(0xf0, 0x9f, 0x9a, 0x61)), '\ufffd\ufffd\ufffda');
  assert.equal(decodeUtf8(Uint8Array.of(0xed, 0xa0, 0x80, 0xc3, 0xa9)), '\ufffd\ufffd\ufffdé');
});
