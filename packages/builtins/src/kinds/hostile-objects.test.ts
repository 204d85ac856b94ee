/** Removes and replaces every value of every recorded object: a kind must refuse the result, never throw. */
import { isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '@flotilla/kube';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeTyped } from '../decode/decode-typed.ts';
import type { KindBehavior } from '../kind.ts';
import { typeOfKind } from '../table/type-table.ts';
import { recordedKinds, type RecordedWrite } from './recordings.testing.ts';
import { answerOf } from './replay-write.testing.ts';

const named = JSON.parse('{"__proto__": "x", "constructor": "y"}') as JsonObject;
const substitutes: readonly JsonValue[] = [null, {}, [], [null], [{}], '', 'x', 'None', '-1', 0, -1, true, named];

for (const { name, kind, recording, recordedAt } of recordedKinds()) {
  test(`${name} never throws when one value is replaced`, () => {
    for (const { create, given, update } of recording.cases) {
      const sent = create ?? update;
      assert.ok(sent);
      for (const mutant of mutants(sent) as Generator<KubeObject>) {
        if (!isReadable(kind, mutant)) continue;
        for (const write of writesOf(kind, mutant, given)) survive(kind, write, recordedAt);
      }
    }
  });
}

/** Objects that do not fit the fields of the kind never reach its hooks. */
function isReadable(kind: KindBehavior, sent: KubeObject): boolean {
  const type = typeOfKind(kind);
  assert.ok(type);
  const { object, problems } = decodeTyped(type, sent);
  return problems.error === undefined && isJsonObject(object['metadata']);
}

/** The endpoints that accept the object: the kind itself for a new one, its subresources too for an update. */
function writesOf(kind: KindBehavior, sent: KubeObject, given: KubeObject | undefined): RecordedWrite[] {
  if (given === undefined) return [{ create: sent }];
  const update = { given, update: sent };
  return [update, ...Object.keys(kind.subresources ?? {}).map((subresource) => ({ ...update, subresource }))];
}

function survive(kind: KindBehavior, write: RecordedWrite, now: Date): void {
  try {
    const { object, code } = answerOf(kind, write, now);
    if (code !== undefined) return;
    kind.selectableFields?.(object);
    kind.columns?.cells(object, now);
  } catch (error) {
    throw new Error(`threw at ${JSON.stringify(write)}`, { cause: error });
  }
}

/** The object with each value in turn replaced by every substitute, or removed. */
function* mutants(value: JsonValue): Generator<JsonValue> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const other of [...substitutes, ...mutants(item)]) yield value.with(index, other);
    }
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value).filter((name) => name !== 'apiVersion' && name !== 'kind')) {
      const { [key]: field, ...rest } = value;
      yield rest;
      for (const other of [...substitutes, ...mutants(field ?? null)]) yield { ...value, [key]: other };
    }
  }
}
