/** What kube-apiserver v1.36 says that the creator of an object owns, against what the field table makes of it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { exceptFields, updateManagedFields, type JsonObject, type KubeObject, type ManagedKind } from '@flotilla/kube';
import { emptyObject } from '../decode/decode-typed.ts';
import { typeOfKind } from '../table/type-table.ts';
import { mergeTypeOf } from './merge-type-of.ts';

interface Recorded {
  /** Decoded and defaulted, as it is before anything is given out or admitted. */
  readonly object: KubeObject;
  readonly fieldsV1: JsonObject;
}

const file = new URL('recorded/owned-fields.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded[];

for (const { object, fieldsV1 } of recorded) {
  test(`whoever creates a ${object.kind} owns the fields that kube-apiserver says`, () => {
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
