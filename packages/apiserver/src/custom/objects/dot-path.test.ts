import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonFloat, type JsonObject } from '@flotilla/kube';
import { integerAt, setAt, stringAt } from './dot-path.ts';

test('a path selects a value of its type, or nothing', () => {
  assert.deepEqual(integerAt({ spec: { replicas: 3 } }, '.spec.replicas'), { value: 3 });
  assert.deepEqual(integerAt({ spec: {} }, '.spec.replicas'), { value: undefined });
  assert.deepEqual(integerAt({ spec: null }, '.spec.replicas'), { value: undefined });
  assert.deepEqual(stringAt({ status: { selector: 'a=b' } }, '.status.selector'), { value: 'a=b' });
});

test('a value of another type is reported with the error of Go', () => {
  const cases: [JsonObject, string][] = [
    [{ spec: 'x' }, '.spec.replicas accessor error: x is of the type string, expected map[string]interface{}'],
    [{ spec: { replicas: 'x' } }, '.spec.replicas accessor error: x is of the type string, expected int64'],
    [{ spec: { replicas: 1.5 } }, '.spec.replicas accessor error: 1.5 is of the type float64, expected int64'],
    [
      { spec: { replicas: new JsonFloat(1) } },
      '.spec.replicas accessor error: 1 is of the type float64, expected int64',
    ],
    [{ spec: { replicas: [1] } }, '.spec.replicas accessor error: [1] is of the type []interface {}, expected int64'],
  ];
  for (const [object, error] of cases) assert.deepEqual(integerAt(object, '.spec.replicas'), { error });
});

test('setting a value creates missing objects', () => {
  const object: JsonObject = { spec: { other: 1 } };
  setAt(object, '.spec.deep.replicas', 2);
  assert.deepEqual(object, { spec: { other: 1, deep: { replicas: 2 } } });
});
