/**
 * Objects of ours with the answers that kube-apiserver v1.36 gave to them: what it stored, the sentences with which it
 * refused, in their order, its warnings and its table cells. Each kind has to give the same.
 */
import {
  apiVersionOf,
  fieldErrorText,
  invalid,
  type FieldError,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { Cell, KindBehavior, WriteContext } from '../kind.ts';
import { allKinds } from './all.ts';

interface Recording {
  readonly apiVersion: string;
  readonly kind: string;
  readonly writes: Pick<KindBehavior, 'createOnUpdate' | 'requiresResourceVersion' | 'returnsDeletedObject'>;
  readonly columns?: readonly object[];
  readonly cases: readonly RecordedCase[];
}

/** Either a create, or an update of what was given. */
interface RecordedCase {
  readonly says: string;
  readonly create?: KubeObject;
  readonly given?: KubeObject;
  readonly update?: KubeObject;
  readonly subresource?: string;
  readonly stored?: KubeObject;
  readonly refused?: readonly string[];
  readonly warnings?: readonly string[];
  readonly cells?: readonly Cell[];
}

const namespace = 'recorded';
const context: WriteContext = {
  now: new Date('2026-03-01T12:00:00Z'),
  user: 'admin',
  groups: ['system:masters', 'system:authenticated'],
};
const folder = new URL('recorded/', import.meta.url);

for (const file of readdirSync(folder)) {
  const recording = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Recording;
  const kind = allKinds.find((one) => apiVersionOf(one) === recording.apiVersion && one.kind === recording.kind);
  assert.ok(kind, `${file} is of no kind here`);

  suite(`${recording.kind} in ${recording.apiVersion}`, () => {
    test('is written and deleted by its own rules', () => assert.deepEqual(writesOf(kind), recording.writes));
    test('has the columns of kubectl get', () => assert.deepEqual(columnsOf(kind), recording.columns));
    for (const recorded of recording.cases) test(recorded.says, () => replay(kind, recorded));
  });
}

function writesOf(kind: KindBehavior): Recording['writes'] {
  const { createOnUpdate = false, requiresResourceVersion = false, returnsDeletedObject = false } = kind;
  return { createOnUpdate, requiresResourceVersion, returnsDeletedObject };
}

function columnsOf({ columns }: KindBehavior): readonly object[] {
  if (columns === undefined) {
    return [
      { name: 'Name', type: 'string', format: 'name', priority: 0 },
      { name: 'Created At', type: 'date', format: '', priority: 0 },
    ];
  }
  return columns.definitions.map(({ name, type, format = '', priority }) => ({ name, type, format, priority }));
}

function replay(kind: KindBehavior, recorded: RecordedCase): void {
  const { object, errors } = recorded.create === undefined ? update(kind, recorded) : create(kind, recorded.create);
  assert.deepEqual(errors.map(fieldErrorText), recorded.refused ?? []);
  if (recorded.stored === undefined) return;
  assert.deepEqual(withoutEmpty(withoutPlace(object)), withoutEmpty(recorded.stored));
  const created = { ...object, metadata: { ...object.metadata, creationTimestamp: context.now.toISOString() } };
  if (kind.columns !== undefined && recorded.cells !== undefined) {
    assert.deepEqual(kind.columns.cells(created, context.now).map(ageless), recorded.cells.map(ageless));
  }
  if (recorded.subresource !== undefined) return;
  assert.deepEqual(kind.warnings?.(object, recorded.given) ?? [], recorded.warnings ?? []);
}

interface Answer {
  readonly object: KubeObject;
  readonly errors: readonly FieldError[];
}

function create(kind: KindBehavior, sent: KubeObject): Answer {
  const object = placed(sent);
  kind.setDefaults?.(object);
  kind.prepareForCreate?.(object, context);
  const { name = '' } = object.metadata;
  const nameProblems = kind.nameRule?.(name, false) ?? [];
  const nameErrors = nameProblems.map((problem) => invalid('metadata.name', name, problem));
  return { object, errors: [...nameErrors, ...(kind.validate?.(object, context) ?? [])] };
}

function update(kind: KindBehavior, { given, update: sent, subresource }: RecordedCase): Answer {
  assert.ok(given && sent);
  const object = placed(sent);
  const old = placed(given);
  kind.setDefaults?.(object);
  if (old.metadata.generation !== undefined) object.metadata.generation = old.metadata.generation;
  const part = subresource === undefined ? kind : kind.subresources?.[subresource];
  assert.ok(part, `no subresource ${subresource}`);
  part.prepareForUpdate?.(object, old, context);
  return { object, errors: part.validateUpdate?.(object, old, context) ?? [] };
}

function placed(object: KubeObject): KubeObject {
  const copy = structuredClone(object);
  copy.metadata.namespace = namespace;
  return copy;
}

function withoutPlace(object: KubeObject): JsonValue {
  const { ...metadata } = object.metadata;
  delete metadata.namespace;
  return { ...object, metadata };
}

/** The server needed a moment, and old events grow older. */
function ageless(cell: Cell): Cell {
  return typeof cell === 'string' && /^\d+[smhdy](\d+[smhd])?$/.test(cell) ? 'some time' : cell;
}

/** Recorded objects show structs that are empty; those given here need not have them. */
function withoutEmpty(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => withoutEmpty(item) ?? null);
  if (typeof value !== 'object' || value === null) return value || undefined;
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const kept = withoutEmpty(item);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
