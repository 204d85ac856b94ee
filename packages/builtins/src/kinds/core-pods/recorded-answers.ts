/**
 * Objects of ours with the answers that kube-apiserver v1.36 gave to them: what it stored, what it refused in which
 * words, its warnings and its table cells. Tests replay them against a kind.
 */
import {
  apiVersionOf,
  invalid,
  isJsonObject,
  type FieldError,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { decodeTyped } from '../../decode/decode-typed.ts';
import type { Cell, KindBehavior, WriteContext } from '../../kind.ts';
import { typeOfKind } from '../../table/type-table.ts';
import { addDefaultTolerations, keepPriority, resolvePriority } from './admission.ts';
import type { PodFields } from './pod-fields.ts';

interface Recording {
  readonly apiVersion: string;
  readonly kind: string;
  readonly recordedAt: string;
  readonly columns: readonly JsonObject[];
  readonly cases: readonly RecordedCase[];
}

interface RecordedCase {
  readonly says: string;
  readonly create?: KubeObject;
  readonly given?: KubeObject;
  readonly update?: KubeObject;
  readonly subresource?: string;
  readonly stored?: KubeObject;
  readonly refused?: readonly Cause[];
  /** Where causes are about the entries of a map, which has no order in Go. */
  readonly inAnyOrder?: boolean;
  readonly warnings?: readonly string[];
  readonly cells?: readonly Cell[];
}

interface Cause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

const context: WriteContext = { now: new Date('2026-03-01T12:00:00Z'), user: 'admin', groups: [] };
const uid = '00000000-0000-4000-8000-000000000001';

export function replayRecordings(folder: URL, kinds: readonly KindBehavior[]): void {
  for (const file of readdirSync(folder)) {
    const recording = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Recording;
    const kind = kinds.find((one) => apiVersionOf(one) === recording.apiVersion && one.kind === recording.kind);
    assert.ok(kind, `${file} is of no kind here`);
    suite(`${recording.kind} answers as recorded`, () => {
      test('columns', () => {
        const definitions = kind.columns?.definitions.map(({ description: _description, format = '', ...rest }) => ({
          ...rest,
          format,
        }));
        assert.deepEqual(definitions, recording.columns);
      });
      for (const recorded of recording.cases)
        test(recorded.says, () => replay(kind, recorded, new Date(recording.recordedAt)));
    });
  }
}

function replay(kind: KindBehavior, recorded: RecordedCase, now: Date): void {
  const old = recorded.given === undefined ? undefined : withIdentity(structuredClone(recorded.given));
  const object = decoded(kind, recorded.create ?? recorded.update);
  const errors = old === undefined ? create(kind, object) : update(kind, object, old, recorded.subresource);
  const causes = errors.map(({ type, field, body }) => ({ reason: type, message: body, field }));
  const refused = recorded.refused ?? [];
  if (recorded.inAnyOrder) assert.deepEqual(sorted(causes), sorted(refused));
  else assert.deepEqual(causes, refused);
  if (recorded.stored === undefined) return;
  assert.deepEqual(comparable(object), comparable(recorded.stored));
  if (recorded.subresource === undefined) {
    assert.deepEqual(kind.warnings?.(object, old) ?? [], recorded.warnings ?? []);
  }
  assert.deepEqual(kind.columns?.cells(justCreated(object, now), now).map(settled), recorded.cells?.map(settled));
}

function decoded(kind: KindBehavior, sent: KubeObject | undefined): KubeObject {
  const type = typeOfKind(kind);
  assert.ok(type && sent);
  return withIdentity(decodeTyped(type, sent).object as KubeObject);
}

function withIdentity(object: KubeObject): KubeObject {
  object.metadata.uid = uid;
  return object;
}

function create(kind: KindBehavior, object: KubeObject): FieldError[] {
  kind.setDefaults?.(object);
  if (kind.kind === 'Pod') {
    addDefaultTolerations(object as PodFields);
    assert.equal(
      resolvePriority(object as PodFields, { named: () => undefined, byDefault: () => undefined }),
      undefined,
    );
  }
  kind.prepareForCreate?.(object, context);
  const name = object.metadata.name ?? '';
  const ofName = kind.nameRule?.(name, false).map((sentence) => invalid('metadata.name', name, sentence)) ?? [];
  return [...ofName, ...(kind.validate?.(object, context) ?? [])];
}

function update(
  kind: KindBehavior,
  object: KubeObject,
  old: KubeObject,
  subresource: string | undefined,
): FieldError[] {
  kind.setDefaults?.(object);
  const part = subresource === undefined ? kind : kind.subresources?.[subresource];
  assert.ok(part, `no subresource ${subresource}`);
  if (old.metadata.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = old.metadata.generation;
  if (kind.kind === 'Pod' && subresource === undefined) {
    addDefaultTolerations(object as PodFields);
    keepPriority(object as PodFields, old as PodFields);
  }
  part.prepareForUpdate?.(object, old, context);
  return part.validateUpdate?.(object, old, context) ?? [];
}

function sorted(causes: readonly Cause[]): Cause[] {
  return causes.toSorted((a, b) => (`${a.field}${a.message}` < `${b.field}${b.message}` ? -1 : 1));
}

/** Without what is different each time. */
function comparable({ metadata, ...rest }: KubeObject): JsonValue {
  const { uid: _uid, creationTimestamp: _time, ...kept } = metadata;
  return withoutTimes({ ...rest, metadata: kept });
}

function withoutTimes(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key, item]) => key !== 'lastTransitionTime' && item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutTimes(item ?? null)]));
}

function justCreated(object: KubeObject, now: Date): KubeObject {
  return { ...object, metadata: { ...object.metadata, creationTimestamp: now.toISOString() } };
}

function settled(cell: Cell): Cell {
  return cell === '1s' ? '0s' : cell;
}
