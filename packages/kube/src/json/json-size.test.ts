import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonSize, jsonTextSize, maxPerCharacter, plainJsonSize } from './json-size.ts';
import { parseJson, parseSpelledJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';
import { JsonFloat, type JsonValue } from './value.ts';

test('the size is that of the printed text', () => {
  for (const text of [
    '{}',
    '[]',
    'null',
    '[[],{},"",0,-1.5,true,12345678901234567890]',
    '{"a":{"b":["x\\"y\\\\z","\\u0000\\n","é€😀"]},"__proto__":1,"c":null}',
  ]) {
    const { value } = parseJson(text);
    assert.equal(jsonSize(value), Buffer.byteLength(stringifyJson(value)), text);
  }
});

test('members without a value are not printed', () => {
  assert.equal(jsonSize({ a: undefined, b: 1 }), '{"b":1}'.length);
});

test('stops at the limit', () => {
  const halves = ['x'.repeat(100), 'y'.repeat(100)];
  assert.ok(jsonSize(halves, 50) > 50);
  assert.equal(jsonSize(halves, 207), 207);
});

test('a text that JSON escapes counts with its escapes', () => {
  assert.equal(jsonTextSize('a"b'), 6);
  assert.equal(jsonTextSize('plain'), 7);
});

test('the plain size is about that of plain texts, and limits that of all others', () => {
  const texts = [
    '"\\u0001\\u0002<>"',
    '"é€😀"',
    '[1.5e-300,-1.5e-300,true,false,null]',
    '{"\\u0001":[],"b":{}}',
    '[12345678901234567890,1.50]',
    '""',
  ];
  for (const text of texts) {
    const { value } = parseSpelledJson(text);
    const { bytes } = plainJsonSize(value);
    assert.ok(bytes * maxPerCharacter >= Buffer.byteLength(stringifyJson(value)), text);
  }
  const plain = { name: 'web', labels: { app: 'a-long-name' }, args: ['x', 'y'] };
  const exact = stringifyJson(plain).length;
  assert.ok(plainJsonSize(plain).bytes >= exact && plainJsonSize(plain).bytes < exact * 1.5);
});

test('finds empty lists', () => {
  assert.equal(plainJsonSize({ a: [{ b: {} }] }).hasEmptyList, false);
  assert.equal(plainJsonSize({ a: [{ b: [] }] }).hasEmptyList, true);
});

test('the plain size of a deep value limits its size', () => {
  const deep = JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`) as JsonValue;
  const { bytes, hasEmptyList } = plainJsonSize(deep);
  assert.ok(bytes * maxPerCharacter >= jsonSize(deep));
  assert.equal(hasEmptyList, true);
});

test('finds values that a parser reads otherwise than they are printed', () => {
  const simple = { a: ['x', 1, -5, true, null, {}, []], '<b>': { '\u0001': '\u2028é😀' }, 7: 'seven' };
  assert.equal(plainJsonSize(simple).isReadAsPrinted, true);
  const nested = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as JsonValue;
  const others = [0.5, -0, 1e15, NaN, 10n, new JsonFloat(1), '\ud800', { '\udc00': 1 }, nested, { a: undefined }];
  for (const value of others) assert.equal(plainJsonSize({ value }).isReadAsPrinted, false);
});
