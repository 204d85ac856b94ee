/** Whatever a client takes out of an object or puts into it, a kind answers; it never throws but its refusals. */
import {
  ApiError,
  apiVersionOf,
  isJsonObject,
  type FieldError,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeTyped } from '../decode/decode-typed.ts';
import type { KindBehavior, SubresourceBehavior, WriteContext } from '../kind.ts';
import { typeOfKind } from '../table/type-table.ts';
import { autoscalingKinds } from './autoscaling/list.ts';
import { coreKinds } from './core/list.ts';
import { planServiceCreate, planServiceUpdate } from './core/service-allocation.ts';
import { serviceOf } from './core/service-fields.ts';
import { ServiceNetwork } from './core/service-network.ts';
import { networkingKinds } from './networking/list.ts';
import { policyKinds } from './policy/list.ts';

const kinds: readonly KindBehavior[] = [...autoscalingKinds, ...coreKinds, ...networkingKinds, ...policyKinds];
const context: WriteContext = { now: new Date('2026-03-01T12:00:00Z'), user: 'admin', groups: [] };
const folder = new URL('testdata/', import.meta.url);
const named = JSON.parse('{"__proto__": "x", "constructor": "y"}') as JsonObject;
const substitutes: readonly JsonValue[] = [null, {}, [], [null], [{}], '', 'x', 'None', '-1', 0, -1, true, named];

for (const file of readdirSync(folder)) {
  const recording = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Recording;
  const kind = kinds.find((one) => apiVersionOf(one) === recording.apiVersion && one.kind === recording.kind);
  assert.ok(kind, `${file} is of no kind here`);

  test(`${recording.kind} in ${recording.apiVersion} survives any replacement of one value`, () => {
    for (const { create, given, update } of recording.cases) {
      const sent = create ?? update;
      assert.ok(sent);
      for (const mutant of mutants(sent)) {
        const object = decoded(kind, mutant as KubeObject);
        if (object === undefined) continue;
        for (const part of parts(kind, given)) answer(kind, part, structuredClone(object), given);
      }
    }
  });
}

interface Recording {
  readonly apiVersion: string;
  readonly kind: string;
  readonly cases: readonly {
    readonly create?: KubeObject;
    readonly given?: KubeObject;
    readonly update?: KubeObject;
  }[];
}

/** Undefined for what does not fit the fields of the kind, which the server refuses before it asks the kind. */
function decoded(kind: KindBehavior, sent: KubeObject): KubeObject | undefined {
  const type = typeOfKind(kind);
  assert.ok(type);
  const { object, problems } = decodeTyped(type, sent);
  return problems.error === undefined && isJsonObject(object['metadata']) ? (object as KubeObject) : undefined;
}

/** Where the object may be sent: a new one to the kind itself, a change to its subresources as well. */
function parts(kind: KindBehavior, old: KubeObject | undefined): (KindBehavior | SubresourceBehavior)[] {
  return old === undefined ? [kind] : [kind, ...Object.values(kind.subresources ?? {})];
}

function answer(
  kind: KindBehavior,
  part: KindBehavior | SubresourceBehavior,
  object: KubeObject,
  old: KubeObject | undefined,
): void {
  try {
    kind.setDefaults?.(object);
    if (kind.kind === 'Service' && part === kind) allocate(object, old);
    const errors = old === undefined ? create(kind, object) : update(part, object, structuredClone(old));
    if (errors.length > 0) return;
    kind.warnings?.(object, old);
    kind.selectableFields?.(object);
    kind.columns?.cells(object, context.now);
  } catch (error) {
    if (error instanceof ApiError) return;
    throw new Error(`threw at ${JSON.stringify(object)}`, { cause: error });
  }
}

function create(kind: KindBehavior, object: KubeObject): FieldError[] {
  kind.prepareForCreate?.(object, context);
  return kind.validate?.(object, context) ?? [];
}

function update(part: KindBehavior | SubresourceBehavior, object: KubeObject, old: KubeObject): FieldError[] {
  part.prepareForUpdate?.(object, old, context);
  const errors = part.validateUpdate?.(object, old, context) ?? [];
  if (errors.length === 0) part.warnings?.(object, old);
  return errors;
}

function allocate(object: KubeObject, old: KubeObject | undefined): void {
  const options = { network: new ServiceNetwork(), random: () => 0.5, dryRun: false };
  if (old === undefined) planServiceCreate(serviceOf(object), options);
  else planServiceUpdate(serviceOf(object), serviceOf(structuredClone(old)), options);
}

/** The object with one value after the other replaced by each substitute, or left out. */
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
