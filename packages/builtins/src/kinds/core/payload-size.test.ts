import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMapKind } from './config-map.ts';
import { exceedsLimit } from './payload-size.ts';

const context = { now: new Date(0), user: '', groups: [] };

test('counts text in bytes, and base64 in decoded bytes', () => {
  assert.equal(exceedsLimit(3, { a: 'ü' }, { b: 'YQ==' }), false);
  assert.equal(exceedsLimit(2, { a: 'ü' }, { b: 'YQ==' }), true);
});

test('a ConfigMap may hold one mebibyte, but not a byte more', () => {
  const errorsOf = (bytes: number) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'x'.repeat(bytes) } };
    return configMapKind.validate?.(object, context);
  };
  assert.deepEqual(errorsOf(1048576), []);
  const body = 'Too long: may not be more than 1048576 bytes';
  assert.deepEqual(errorsOf(1048577), [{ type: 'FieldValueTooLong', field: '[]', body }]);
});
