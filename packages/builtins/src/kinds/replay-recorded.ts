/**
 * What a kind makes of a write that kube-apiserver was once asked for: the same steps that the server takes around a kind,
 * for tests that compare the answers. `recorded/README.md` says what a recording holds.
 */
import { ApiError, invalid, type FieldError, type JsonObject, type KubeObject } from '@flotilla/kube';
import assert from 'node:assert/strict';
import { decodeTyped } from '../decode/decode-typed.ts';
import type { Cell, KindBehavior, WriteContext } from '../kind.ts';
import { typeOfKind } from '../table/type-table.ts';
import { admitCreate, admitUpdate } from './replay-admission.ts';

export interface Recording {
  readonly apiVersion: string;
  readonly kind: string;
  /** Also the time that the server wrote into what it stored. */
  readonly recordedAt: string;
  readonly writes?: Pick<KindBehavior, 'createOnUpdate' | 'requiresResourceVersion' | 'returnsDeletedObject'>;
  readonly columns: readonly JsonObject[];
  readonly cases: readonly RecordedCase[];
}

/** Either a create, or an update of what was given. */
export interface RecordedCase {
  readonly says: string;
  readonly create?: KubeObject;
  readonly given?: KubeObject;
  readonly update?: KubeObject;
  readonly subresource?: string;
  readonly stored?: KubeObject;
  readonly refused?: readonly Cause[];
  /** Where causes are about the entries of a map, which has no order in Go. */
  readonly inAnyOrder?: boolean;
  /** Of a refusal, where it is not 422. */
  readonly code?: number;
  readonly message?: string;
  readonly warnings?: readonly string[];
  readonly cells?: readonly Cell[];
}

export interface Cause {
  readonly reason?: string | undefined;
  readonly field?: string | undefined;
  readonly message?: string | undefined;
}

export interface Answer {
  readonly object: KubeObject;
  readonly causes: readonly Cause[];
  readonly warnings: readonly string[];
  /** Of a refusal. */
  readonly code?: number | undefined;
  readonly message?: string;
}

const namespace = 'recorded';
const uid = '00000000-0000-4000-8000-000000000001';
const groups = ['system:masters', 'system:authenticated'];

export function answerOf(kind: KindBehavior, recorded: RecordedCase, recordedAt: Date): Answer {
  const context: WriteContext = { now: recordedAt, user: 'admin', groups };
  const { create: created, given, update: updated, subresource } = recorded;
  const sent = created ?? updated;
  assert.ok(sent, 'a recording has something that was sent');
  const object = placed(decoded(kind, sent));
  if (given === undefined) return answer(object, () => create(kind, object, context));
  const old = placed(structuredClone(given));
  return answer(object, () => update(kind, { object, old, subresource }, context));
}

/** Without what only tells where and as what the object was written. */
export function unplaced({ metadata, ...rest }: KubeObject): KubeObject {
  const { uid: _uid, namespace: _namespace, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

function placed(object: KubeObject): KubeObject {
  Object.assign(object.metadata, { namespace, uid });
  return object;
}

/** In wire form, as the server hands objects to their kind. */
function decoded(kind: KindBehavior, sent: KubeObject): KubeObject {
  const type = typeOfKind(kind);
  assert.ok(type, `no type of ${kind.kind}`);
  return decodeTyped(type, sent).object as KubeObject;
}

interface Outcome {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

function answer(object: KubeObject, write: () => Outcome): Answer {
  try {
    const { errors, warnings } = write();
    const causes = errors.map(({ type, body, field }) => ({ reason: type, message: body, field }));
    return { object, warnings, causes, code: errors.length === 0 ? undefined : 422 };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { details, message = '', code } = error.status;
    return { object, warnings: [], causes: details?.causes ?? [], message, code };
  }
}

function create(kind: KindBehavior, object: KubeObject, context: WriteContext): Outcome {
  kind.setDefaults?.(object);
  admitCreate(object);
  kind.prepareForCreate?.(object, context);
  const { name = '' } = object.metadata;
  const ofName = kind.nameRule?.(name, false).map((sentence) => invalid('metadata.name', name, sentence)) ?? [];
  return {
    errors: [...ofName, ...(kind.validate?.(object, context) ?? [])],
    warnings: kind.warnings?.(object, undefined) ?? [],
  };
}

interface Update {
  readonly object: KubeObject;
  readonly old: KubeObject;
  readonly subresource: string | undefined;
}

function update(kind: KindBehavior, { object, old, subresource }: Update, context: WriteContext): Outcome {
  const part = subresource === undefined ? kind : kind.subresources?.[subresource];
  assert.ok(part, `no subresource ${subresource}`);
  kind.setDefaults?.(object);
  // Whoever sends an object has no say in its generation.
  if (old.metadata.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = old.metadata.generation;
  if (subresource === undefined) admitUpdate(object, old);
  part.prepareForUpdate?.(object, old, context);
  return {
    errors: part.validateUpdate?.(object, old, context) ?? [],
    warnings: part.warnings?.(object, old) ?? [],
  };
}
