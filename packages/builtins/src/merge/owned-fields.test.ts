/** Compares the fields that kube-apiserver v1.36 gives to the creator of an object with those of the field table. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { exceptFields, updateManagedFields, type JsonObject, type KubeObject, type ManagedKind } from '@flotilla/kube';
import { emptyObject } from '../decode/decode-typed.ts';
import { typeOfKind } from '../table/type-table.ts';
import { mergeTypeOf } from './merge-type-of.ts';

interface Recorded {
  /** Decoded and defaulted, before allocation and admission. */
  readonly object: KubeObject;
  readonly fieldsV1: JsonObject;
}

const file = new URL('recorded/owned-fields.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded[];

for (const { object, fieldsV1 } of recorded) {
  test(`the creator of a ${object.kind} owns the same fields as in kube-apiserver`, () => {
    const entries = updateManagedFields({
      kind: managedKind(object),
      live: undefined,
      object,
      manager: 'maker',
      now: new Date(0),
    });
    assert.equal(JSON.stringify(entries?.[0]?.fieldsV1), JSON.stringify(fieldsV1));
  });
}

function managedKind({ apiVersion, kind }: KubeObject): ManagedKind {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const type = typeOfKind({ group, version, kind });
  assert.ok(type);
  return {
    apiVersion,
    kind,
    blank: emptyObject(type),
    typeOf: () => mergeTypeOf(type),
    writable: exceptFields([['status']]),
  };
}
