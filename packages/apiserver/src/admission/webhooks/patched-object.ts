/** The object after the patch of a webhook. */
import {
  apiErrors,
  apiVersionOf,
  applyJsonPatch,
  decodeJsonPatch,
  decodeUtf8,
  isJsonObject,
  JsonError,
  jsonEquals,
  parseSpelledJson,
  PatchError,
  textOf,
  type GroupVersionKind,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import { builtinCodec, isKnownKind, splitApiVersion } from '../../resources/builtin-resource.ts';
import { internalType, unregisteredKind } from '../../resources/internal-type.ts';
import type { Decoded } from '../../resources/resource.ts';
import type { MatchedResource } from '../matching/match-criteria.ts';

type JsonPatch = ReturnType<typeof decodeJsonPatch>;

/** A patch that is not one. The message is Go's. */
export class UndecodablePatch extends Error {
  override readonly name = 'UndecodablePatch';
}

export function readPatch(bytes: Uint8Array): { readonly patch: JsonPatch; readonly json: JsonValue } {
  try {
    const { value } = parseSpelledJson(decodeUtf8(bytes));
    return { patch: decodeJsonPatch(value, false), json: value };
  } catch (error) {
    if (error instanceof JsonError || error instanceof PatchError) {
      throw new UndecodablePatch(error.message, { cause: error });
    }
    throw error;
  }
}

export interface Patched {
  readonly object: KubeObject;
  readonly isChanged: boolean;
}

/** Decodes the result like a request's body: unknown fields are dropped, and defaults set. */
export function applyPatch(object: KubeObject, patch: JsonPatch, matched: MatchedResource): Patched {
  const { resource, kind } = matched;
  const patched = patchedValue(object, patch);
  if (!isJsonObject(patched)) throw apiErrors.internalError('the patch removes the object');
  checkKind(patched, matched);
  const isOwnKind = resource.kind === kind.kind && resource.group === kind.group;
  const { object: decoded, error } = isOwnKind ? resource.codec.decode(patched) : decodeAs(kind, patched);
  if (error !== undefined) throw apiErrors.internalError(error);
  const isChanged = !jsonEquals(decoded, object);
  if (isOwnKind) resource.behavior.setDefaults?.(decoded);
  return { object: decoded, isChanged };
}

/** Kubernetes decodes the kind that the patch left, and then fails to convert it. */
function checkKind(patched: JsonObject, { resource, kind: expected }: MatchedResource): void {
  const apiVersion = textOf(patched['apiVersion']) || apiVersionOf(expected);
  const kind = textOf(patched['kind']) || expected.kind;
  if (kind === expected.kind && (resource.isUnstructured || apiVersion === apiVersionOf(expected))) return;
  if (!isKnownKind(apiVersion, kind)) throw apiErrors.internalError(unregisteredKind(apiVersion, kind));
  const other = { ...splitApiVersion(apiVersion), kind };
  const { error } = builtinCodec(other).decode(patched);
  if (error !== undefined) throw apiErrors.internalError(error);
  if (kind === expected.kind && other.group === expected.group) return;
  const to = internalType(expected.group, expected.kind);
  throw apiErrors.unknown(`converting (${other.version}.${kind}) to (${to}): unknown conversion`);
}

function patchedValue(object: KubeObject, patch: JsonPatch): JsonValue {
  try {
    return applyJsonPatch(object, patch);
  } catch (error) {
    if (error instanceof PatchError) throw apiErrors.internalError(error.message, { cause: error });
    throw error;
  }
}

/** A subresource has a built-in kind of its own, such as Scale. */
function decodeAs(kind: GroupVersionKind, value: JsonValue): Decoded {
  return builtinCodec(kind).decode(value);
}
