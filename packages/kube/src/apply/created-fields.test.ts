import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject } from '../json/value.ts';
import { createdFields } from './created-fields.ts';
import type { ManagedKind } from './managed-kind.ts';
import { deduced, type MapMerge, type MergeType } from './merge-type.ts';
import { updateManagedFields } from './update-managed-fields.ts';

const scalar: MergeType = { scalar: 'untyped' };

function listOf(keys: readonly string[]): MergeType {
  const map: MapMerge = { relationship: 'separable', field: () => undefined, element: () => deduced };
  return { list: { relationship: 'associative', keys, element: () => ({ map }) } };
}

const fieldTypes: Readonly<Record<string, MergeType>> = {
  named: listOf(['name']),
  ports: listOf(['port', 'protocol']),
  set: { list: { relationship: 'associative', element: () => scalar } },
  owners: listOf(['uid']),
};

/** A type of its own for each test: known fields belong to the type. */
function newType(): MergeType {
  const field: MapMerge['field'] = (name) => {
    const type = Object.hasOwn(fieldTypes, name) ? fieldTypes[name] : undefined;
    return type && { type: () => type };
  };
  return { map: { relationship: 'separable', field, element: () => deduced } };
}

function kindOf(type: MergeType): ManagedKind {
  return { apiVersion: 'v1', kind: 'Widget', blank: {}, typeOf: () => type };
}

function fieldsOf(type: MergeType, object: JsonObject): string {
  const given = { apiVersion: 'v1', kind: 'Widget', metadata: {}, ...object };
  const update = { kind: kindOf(type), live: undefined, object: given, manager: 'maker', now: new Date(0) };
  return JSON.stringify(updateManagedFields(update)?.[0]?.fieldsV1);
}

const key = fc.constantFrom('a', 'b', '{', '}', '1', '2', '__proto__', 'constructor', '');
const value = fc.constantFrom<JsonObject[string]>('', 'x', 0, 1, true, false, [], [1], {}, { a: 1 }, { a: { b: '' } });
const items = (identity: readonly string[]): fc.Arbitrary<JsonObject[]> =>
  fc.uniqueArray(fc.record(Object.fromEntries(identity.map((name) => [name, key]))), {
    maxLength: 3,
    selector: (item) => JSON.stringify(item),
  });
const owner = fc.constantFrom(randomUUID(), randomUUID(), 'not-a-uid').map((uid) => ({ uid, name: 'w' }));
const object: fc.Arbitrary<JsonObject> = fc.record(
  {
    a: value,
    b: value,
    named: items(['name']),
    ports: items(['port', 'protocol']),
    set: fc.uniqueArray(key, { maxLength: 3 }),
    owners: fc.array(owner, { maxLength: 1 }),
  },
  { requiredKeys: [] },
);

test('fields of a known shape are those that would be computed', () => {
  fc.assert(
    fc.property(fc.array(object, { minLength: 2, maxLength: 8 }), (objects) => {
      const type = newType();
      for (const each of objects) assert.equal(fieldsOf(type, each), fieldsOf(newType(), each));
    }),
  );
});

test('fields are computed once for a shape', () => {
  const [type, uid] = [newType(), randomUUID()];
  const computed: JsonObject[] = [];
  const created = (given: JsonObject): JsonObject | undefined =>
    createdFields(kindOf(type), { apiVersion: 'v1', type, value: given }, () => {
      computed.push(given);
      return { 'f:owners': { [`k:{"uid":"${uid}"}`]: {} } };
    });
  created({ a: 'x', owners: [{ uid }] });
  const other = randomUUID();
  assert.deepEqual(created({ a: 'y', owners: [{ uid: other }] }), { 'f:owners': { [`k:{"uid":"${other}"}`]: {} } });
  assert.equal(computed.length, 1);
  created({ a: '', owners: [{ uid }] });
  assert.equal(computed.length, 2);
});

test('a shape is forgotten after many others', () => {
  const type = newType();
  let computed = 0;
  const create = (name: string): void => {
    createdFields(kindOf(type), { apiVersion: 'v1', type, value: { [name]: 1 } }, () => {
      computed++;
      return {};
    });
  };
  create('first');
  create('first');
  assert.equal(computed, 1);
  for (let index = 0; index < 2_000; index++) create(`key-${index}`.padEnd(1000, 'x'));
  computed = 0;
  create('first');
  assert.equal(computed, 1);
});
