/**
 * Runs the steps that the server takes around the hooks of a kind, for tests that replay requests to kube-apiserver.
 */
import { ApiError, invalid, type FieldError, type KubeObject } from '@flotilla/kube';
import assert from 'node:assert/strict';
import { decodeTyped } from '../decode/decode-typed.ts';
import type { KindBehavior, WriteContext } from '../kind.ts';
import { typeOfKind } from '../table/type-table.ts';
import type { Cause, RecordedWrite } from './recordings.testing.ts';
import { admitCreate, admitUpdate } from './replay-admission.testing.ts';

interface Answer {
  readonly object: KubeObject;
  readonly causes: readonly Cause[];
  readonly warnings: readonly string[];
  readonly code?: number | undefined;
  readonly message?: string;
}

const namespace = 'recorded';
const uid = '00000000-0000-4000-8000-000000000001';
const groups = ['system:masters', 'system:authenticated'];

export function answerOf(kind: KindBehavior, write: RecordedWrite, now: Date): Answer {
  const context: WriteContext = { now, user: 'admin', groups };
  const { create: created, given, update: updated, subresource } = write;
  const sent = created ?? updated;
  assert.ok(sent, 'something has to be written');
  const object = withWriteMetadata(decoded(kind, sent));
  if (given === undefined) return answer(object, () => create(kind, object, context));
  const old = deepFrozen(withWriteMetadata(structuredClone(given)));
  return answer(object, () => update(kind, { object, old, subresource }, context));
}

/** Without namespace, uid and the like, which depend on the write. */
export function withoutWriteMetadata({ metadata, ...rest }: KubeObject): KubeObject {
  const { uid: _uid, namespace: _namespace, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

function withWriteMetadata(object: KubeObject): KubeObject {
  Object.assign(object.metadata, { namespace, uid });
  return object;
}

/** Views of the server share the old object, so that no hook may edit it. */
function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen);
  return value;
}

/** In wire form, as the server passes objects to the hooks. */
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
  const ofName = kind.nameRule?.(name, false).map((detail) => invalid('metadata.name', name, detail)) ?? [];
  const errors = [...ofName, ...(kind.validate?.(object, context) ?? [])];
  kind.canonicalize?.(object);
  return { errors, warnings: kind.warnings?.(object, undefined) ?? [] };
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
  // The server ignores the generation that a client sends.
  if (old.metadata.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = old.metadata.generation;
  if (subresource === undefined) admitUpdate(object, old);
  part.prepareForUpdate?.(object, old, context);
  return {
    errors: part.validateUpdate?.(object, old, context) ?? [],
    warnings: part.warnings?.(object, old) ?? [],
  };
}
