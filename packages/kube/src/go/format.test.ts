import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteLength, compareBytes, goFloat, goSyntaxOf, quote, quoteAll } from './format.ts';

test('quotes plain text as it is', () => {
  assert.equal(quote('nginx:1.27'), '"nginx:1.27"');
});

test('escapes what Go does not print', () => {
  assert.equal(quote('a"b\\c\n\t\u0007\u0000\u007f'), '"a\\"b\\\\c\\n\\t\\a\\x00\\x7f"');
  assert.equal(quote('\u00a0\u200b\u{e0001}'), '"\\u00a0\\u200b\\U000e0001"');
  assert.equal(quote('é 漢 🚀'), '"é 漢 🚀"');
});

test('prints half of a surrogate pair as the replacement character', () => {
  assert.equal(quote('\ud83d'), '"\ufffd"');
});

test('prints string slices as %q and %#v', () => {
  assert.equal(quoteAll(['a', 'b c']), '["a" "b c"]');
  assert.equal(goSyntaxOf(['a', 'b']), '[]string{"a", "b"}');
});

test('orders by bytes, so that characters beyond the basic plane come last', () => {
  assert.deepEqual(['\u{10000}', '\uffff', 'a', 'ab', ''].sort(compareBytes), ['', 'a', 'ab', '\uffff', '\u{10000}']);
});

test('counts bytes', () => {
  assert.equal(byteLength('abc'), 3);
  assert.equal(byteLength('aé漢🚀'), 1 + 2 + 3 + 4);
});

test('prints floats as %v does', () => {
  assert.equal(goFloat(1.5), '1.5');
  assert.equal(goFloat(100_000), '100000');
  assert.equal(goFloat(1_000_000), '1e+06');
  assert.equal(goFloat(-1_234_567.5), '-1.2345675e+06');
  assert.equal(goFloat(0.0001), '0.0001');
  assert.equal(goFloat(0.000_012), '1.2e-05');
  assert.equal(goFloat(1e300), '1e+300');
  assert.equal(goFloat(0), '0');
  assert.equal(goFloat(-0), '-0');
});
