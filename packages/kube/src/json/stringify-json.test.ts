import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { indentJson, stringifyJson } from './stringify-json.ts';
import { JsonFloat } from './value.ts';

test('prints keys in the order they have', () => {
  assert.equal(stringifyJson({ kind: 'A', apiVersion: 'v1', x: undefined }), '{"kind":"A","apiVersion":"v1"}');
});

test('prints the same whether or not a bigint is among the values', () => {
  const value = { b: ['<&>\u2028', new JsonFloat(1), 0.5, null], a: {} };
  assert.equal(
    stringifyJson({ ...value, n: 2n ** 60n }),
    stringifyJson({ ...value, n: 1 }).replace(/1}$/, '1152921504606846976}'),
  );
});

test('prints at the maximum depth of the parser', () => {
  const text = `${'['.repeat(10_000)}1152921504606846976${']'.repeat(10_000)}`;
  let value: bigint | unknown[] = 1152921504606846976n;
  for (let i = 0; i < 10_000; i++) value = [value];
  assert.equal(stringifyJson(value as never), text);
});

test('indents as the engine does', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text);
      assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
    }),
  );
});
