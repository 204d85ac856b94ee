import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonFloat } from '@flotilla/kube';
import { sameFields } from './same-fields.ts';

test('fields are equal in any order, and if one side omits what is empty', () => {
  assert.ok(sameFields({ a: 1, b: [{ c: 'd' }] }, { b: [{ c: 'd' }], a: 1 }));
  assert.ok(sameFields({ a: [], b: {}, c: null, d: undefined }, {}));
  assert.ok(sameFields(undefined, {}));
  assert.ok(sameFields({ a: new JsonFloat(1) }, { a: 1 }));
});

test('fields differ by one value, one element or one key', () => {
  assert.ok(!sameFields({ a: 1 }, { a: 2 }));
  assert.ok(!sameFields({ a: [1, 2] }, { a: [2, 1] }));
  assert.ok(!sameFields({ a: '' }, {}));
  assert.ok(!sameFields({ constructor: 'x' }, {}));
  assert.ok(!sameFields(JSON.parse('{"__proto__":{"x":1}}'), {}));
});
