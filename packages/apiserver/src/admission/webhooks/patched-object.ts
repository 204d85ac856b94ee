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
  quote,
  sortedCopy,
  stringifyJson,
  textOf,
  type GroupVersionKind,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import { builtinCodec, isKnownKind, splitApiVersion } from '../../resources/builtin-resource.ts';
import { internalType, unregisteredKind } from '../../resources/internal-type.ts';
import { readableMetadata } from '../../resources/object-meta.ts';
import { groupVersionFault, missingKind, unreadableTypeMeta } from '../../resources/type-meta.ts';
import type { Attributes } from '../admission.ts';
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
export function applyPatch(
  object: KubeObject,
  patch: JsonPatch,
  matched: MatchedResource,
  operation: Attributes['operation'],
): Patched {
  const { resource, kind } = matched;
  const patched = patchedValue(object, patch);
  const unreadable = unreadableTypeMeta(patched);
  if (unreadable !== undefined || !isJsonObject(patched)) throw apiErrors.internalError(unreadable ?? '');
  const malformed = groupVersionFault(textOf(patched['apiVersion']));
  if (malformed !== undefined) throw apiErrors.internalError(malformed);
  const isOwnKind = resource.kind === kind.kind && resource.group === kind.group;
  const decoded =
    isOwnKind && resource.isUnstructured ? decodeUnstructured(patched, matched, operation) : decode(patched, matched);
  const isChanged = !jsonEquals(decoded, object);
  if (isOwnKind) resource.behavior.setDefaults?.(decoded);
  return { object: decoded, isChanged };
}

function decode(patched: JsonObject, matched: MatchedResource): KubeObject {
  const { resource, kind } = matched;
  checkKind(patched, kind);
  // A subresource has a built-in kind of its own, such as Scale.
  const isOwnKind = resource.kind === kind.kind && resource.group === kind.group;
  const { object, error } = (isOwnKind ? resource.codec : builtinCodec(kind)).decode(patched);
  if (error !== undefined) throw apiErrors.internalError(error);
  return object;
}

/** Kubernetes decodes the kind that the patch left, and then fails to convert it. */
function checkKind(patched: JsonObject, expected: GroupVersionKind): void {
  const apiVersion = textOf(patched['apiVersion']) || apiVersionOf(expected);
  const kind = textOf(patched['kind']) || expected.kind;
  if (kind === expected.kind && apiVersion === apiVersionOf(expected)) return;
  if (!isKnownKind(apiVersion, kind)) throw apiErrors.internalError(unregisteredKind(apiVersion, kind));
  const other = { ...splitApiVersion(apiVersion), kind };
  const { error } = builtinCodec(other).decode(patched);
  if (error !== undefined) throw apiErrors.internalError(error);
  if (kind === expected.kind && other.group === expected.group) return;
  const to = internalType(expected.group, expected.kind);
  throw apiErrors.unknown(`converting (${other.version}.${kind}) to (${to}): unknown conversion`);
}

/** Custom resources are maps in Kubernetes: any kind is decoded, and validation refuses another one. Malformed metadata is lost. */
function decodeUnstructured(
  patched: JsonObject,
  { resource, kind: expected }: MatchedResource,
  operation: Attributes['operation'],
): KubeObject {
  const kind = textOf(patched['kind']);
  if (kind === '') throw apiErrors.internalError(missingKind(stringifyJson(sortedCopy(patched))));
  const apiVersion = textOf(patched['apiVersion']);
  const { group, version } = splitApiVersion(apiVersion);
  if (group !== expected.group) {
    const why = 'is unstructured and is not suitable for converting to';
    throw apiErrors.unknown(`${group}/${version}, Kind=${kind} ${why} ${quote(apiVersionOf(expected))}`);
  }
  const isKnownVersion = [resource, ...(resource.equivalents?.() ?? [])].some((known) => known.version === version);
  if (!isKnownVersion) {
    throw apiErrors.unknown(`request to convert CR from an invalid group/version: ${apiVersion}`);
  }
  const { metadata = {} } = patched;
  const isReadable = isJsonObject(metadata);
  if (!isReadable && operation === 'CREATE') throw apiErrors.internalError('system metadata was not initialized');
  const readable = isReadable ? readableMetadata(metadata) : {};
  const { object, error } = resource.codec.decode({ ...patched, metadata: readable });
  if (error !== undefined) throw apiErrors.internalError(error);
  return object;
}

function patchedValue(object: KubeObject, patch: JsonPatch): JsonValue {
  try {
    return applyJsonPatch(object, patch);
  } catch (error) {
    if (error instanceof PatchError) throw apiErrors.internalError(error.message, { cause: error });
    throw error;
  }
}
