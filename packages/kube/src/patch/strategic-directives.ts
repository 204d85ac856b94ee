/** Directives of a strategic merge patch: markers in objects, and lists parallel to a list. */
import { setOwn } from '../json/untrusted.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { goPrint, goTypeName } from './go-print.ts';
import { checkPatchDepth, PatchError } from './patch-error.ts';

export const patchMarker = '$patch';
export const retainKeysMarker = '$retainKeys';
export const deletionListPrefix = '$deleteFromPrimitiveList';
export const elementOrderPrefix = '$setElementOrder';

const malformedMessages = {
  [deletionListPrefix]: 'invalid patch format of primitive list',
  [elementOrderPrefix]: 'invalid patch format of setElementOrder list',
};

/** `$setElementOrder/containers` concerns `containers`. */
export function listNameIn(key: string, prefix: typeof deletionListPrefix | typeof elementOrderPrefix): string {
  if (!key.startsWith(`${prefix}/`)) throw new PatchError('malformed', malformedMessages[prefix]);
  return key.slice(prefix.length + 1);
}

/** Applies `$patch`: the rest of the patch replaces the object, or the object is emptied. */
export function applyPatchMarker(patch: JsonObject): JsonObject {
  const { [patchMarker]: directive = null, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw unknownPatchType(directive, patch);
}

/** The keys of `$retainKeys`. The patch may set no other key. */
export function retainedKeys(directive: JsonValue, patch: JsonObject): ReadonlySet<JsonValue> {
  const retained = new Set(Array.isArray(directive) ? directive : []);
  const mayHold = (key: string) => retained.has(key) || patch[key] === null || isParallelList(key);
  if (!Array.isArray(directive) || !Object.keys(patch).every(mayHold)) {
    throw new PatchError('malformed', 'invalid patch format of retainKeys');
  }
  return retained;
}

function isParallelList(key: string): boolean {
  return key.startsWith(deletionListPrefix) || key.startsWith(elementOrderPrefix);
}

/** A new value without its directives. Returns undefined if the value itself is a directive. */
export function newValue(value: JsonValue, options: NewValueOptions, depth = 0): JsonValue | undefined {
  checkPatchDepth(depth);
  if (Array.isArray(value)) return newElements(value, options, depth);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, patchMarker)) return undefined;
  const kept: JsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    if (child === undefined || (child === null && !options.keepNulls)) continue;
    const own = newValue(child, options, depth + 1);
    if (own !== undefined) setOwn(kept, key, own);
  }
  return kept;
}

export function newElements(list: readonly JsonValue[], options: NewValueOptions, depth = 0): JsonValue[] {
  return list.map((element) => newValue(element, options, depth + 1)).filter((element) => element !== undefined);
}

interface NewValueOptions {
  /** Whether to keep null members. Null elements are always kept. */
  readonly keepNulls: boolean;
}

export function unknownPatchType(directive: JsonValue, patch: JsonObject): PatchError {
  const text = typeof directive === 'string' ? directive : `%!s(${goTypeName(directive)}=${goPrint(directive)})`;
  return unexpected(`unknown patch type: ${text} in map: ${goPrint(patch)}`);
}

export function unexpected(message: string): PatchError {
  return new PatchError('unexpected', message);
}

export function wrongType(expected: 'list' | 'object', actual: JsonValue): PatchError {
  const name = expected === 'list' ? '[]interface {}' : 'map[string]interface {}';
  return unexpected(`expected a ${name}, but received a ${goTypeName(actual)}`);
}
