import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ApiError } from '../api-status.ts';
import type { KubeObject } from '../object.ts';
import { applyConfiguration } from './apply-configuration.ts';
import { aConfigMap, deepFreeze, secondsLater, stored } from './sample-objects.testing.ts';
import { sampleKinds } from './sample-types.testing.ts';
import { keepTimes } from './update-managed-fields.ts';

const kind = sampleKinds.ConfigMap;

type Data = Readonly<Record<string, string>>;

function applied(
  live: KubeObject | undefined,
  config: KubeObject,
  manager: string,
  force = false,
  second = 0,
): KubeObject {
  const { object } = applyConfiguration({ kind, live, config, manager, force, now: secondsLater(second) });
  return stored(object, object.metadata.managedFields);
}

function dataOf(object: KubeObject | undefined): Data {
  return { ...(object?.['data'] as Data | undefined) };
}

const keys = ['a', 'b', 'c', '__proto__'];
const arbitraryData = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom('1', '2', '3'), {
  noNullPrototype: true,
});
const arbitraryConfig = fc
  .record({
    data: arbitraryData,
    labels: arbitraryData,
    finalizers: fc.uniqueArray(fc.constantFrom('x/a', 'x/b', 'x/c')),
  })
  .map(({ data, labels, finalizers }) => aConfigMap(data, { labels, finalizers }));

test('applying twice changes nothing', () => {
  fc.assert(
    fc.property(arbitraryConfig, arbitraryConfig, (other, config) => {
      const once = applied(applied(undefined, other, 'other'), config, 'me', true, 1);
      const again = applied(once, config, 'me', false, 2);
      assert.deepEqual(again, once);
      assert.deepEqual(keepTimes(once, again), once.metadata.managedFields);
    }),
  );
});

test('removes an omitted field unless it has another owner', () => {
  fc.assert(
    fc.property(arbitraryData, arbitraryData, arbitraryData, (first, others, next) => {
      const both = applied(applied(undefined, aConfigMap(first), 'me'), aConfigMap(others), 'other', true);
      const after = applied(both, aConfigMap(next), 'me', true);
      const expected = new Map([...Object.entries(others), ...Object.entries(next)]);
      assert.deepEqual(new Map(Object.entries(dataOf(after))), expected);
    }),
  );
});

test('modifies neither the live object nor the configuration', () => {
  const live = deepFreeze(applied(undefined, aConfigMap({ a: '1' }), 'me'));
  const result = applied(live, deepFreeze(aConfigMap({ b: '2' })), 'me');
  assert.deepEqual(dataOf(result), { b: '2' });
});

test('the first apply keeps what an unmanaged object has', () => {
  const result = applied(stored(aConfigMap({ a: '1' })), aConfigMap({ b: '2' }), 'me');
  assert.deepEqual(dataOf(result), { a: '1', b: '2' });
  assert.deepEqual(
    result.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`),
    ['me Apply', 'before-first-apply Update'],
  );
});

test('an apply without fields owns nothing', () => {
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
  assert.equal(applied(undefined, config, 'me').metadata.managedFields, undefined);
});

test('drops the last-applied annotation if annotations become too large', () => {
  const last = 'kubectl.kubernetes.io/last-applied-configuration';
  const live = applied(undefined, aConfigMap({ a: '1' }, { annotations: { [last]: '{}' } }), 'someone');
  const result = applied(live, aConfigMap({ a: '1'.repeat(300_000) }), 'kubectl', true);
  assert.deepEqual(result.metadata.annotations, {});
});

test("refuses a configuration of another version with Kubernetes' message", () => {
  const config = { ...aConfigMap({}), apiVersion: 'apps/v2' };
  assert.throws(
    () => applied(undefined, config, 'me'),
    (error) =>
      error instanceof ApiError &&
      error.code === 400 &&
      error.message === 'invalid object type: apps/v2, Kind=ConfigMap',
  );
});
