/** Half of a strategic merge patch between two objects: what the second sets, or what it removes. */
import { compareBytes } from '../go/format.ts';
import { jsonEquals } from '../json/json-equals.ts';
import { getOwn, setOwn } from '../json/untrusted.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { checkPatchDepth } from './patch-error.ts';
import { fieldOf, strategyOf, type PatchField, type PatchSchema } from './patch-schema.ts';
import { deletionListPrefix, elementOrderPrefix, retainKeysMarker } from './strategic-directives.ts';
import { listDifference } from './strategic-list-difference.ts';

export type Half = 'settings' | 'removals';

export function strategicDifference(from: JsonObject, to: JsonObject, schema: PatchSchema, half: Half): JsonObject {
  return objectDifference(from, to, { schema, half, retainsKeys: false, depth: 0 });
}

/** The schema at the current depth, and whether a change must list all retained keys. */
interface Context {
  readonly schema: PatchSchema | undefined;
  readonly half: Half;
  readonly retainsKeys: boolean;
  readonly depth: number;
}

function objectDifference(from: JsonObject, to: JsonObject, context: Context): JsonObject {
  checkPatchDepth(context.depth);
  const patch: JsonObject = {};
  for (const [key, value] of members(to)) {
    const before = getOwn(from, key);
    if (before === undefined) {
      if (context.half === 'settings') setOwn(patch, key, value);
    } else {
      compareMember(patch, key, before, value, context);
    }
  }
  const lost = members(from).filter(([key]) => getOwn(to, key) === undefined);
  if (context.half === 'removals') for (const [key] of lost) setOwn(patch, key, null);
  if (context.retainsKeys && (Object.keys(patch).length > 0 || lost.some(([, value]) => value !== null))) {
    retainKeys(patch, to);
  }
  return patch;
}

function compareMember(patch: JsonObject, key: string, before: JsonValue, after: JsonValue, context: Context): void {
  if (isJsonObject(before) && isJsonObject(after)) {
    compareObjects(patch, key, before, after, context);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(patch, key, before, after, context);
  } else {
    replace(patch, key, before, after, context.half);
  }
}

function compareObjects(patch: JsonObject, key: string, before: JsonObject, after: JsonObject, context: Context): void {
  const field = knownField(context.schema, key, before, after);
  if (field === undefined) return;
  if (strategyOf(field) === 'replace') {
    if (context.half === 'settings') setOwn(patch, key, after);
    return;
  }
  const difference = objectDifference(before, after, inside(field, context));
  if (Object.keys(difference).length > 0) setOwn(patch, key, difference);
}

function compareLists(patch: JsonObject, key: string, before: JsonValue[], after: JsonValue[], context: Context): void {
  const field = knownField(context.schema, key, before, after);
  if (field === undefined) return;
  if (strategyOf(field) !== 'merge') {
    replace(patch, key, before, after, context.half);
    return;
  }
  const element = inside(field, context);
  const { changes, deletions, order } = listDifference(before, after, {
    mergeKey: field.mergeKey,
    half: context.half,
    elementDifference: (from, to) => objectDifference(from, to, element),
  });
  if (changes.length > 0) setOwn(patch, key, changes);
  if (deletions.length > 0) setOwn(patch, `${deletionListPrefix}/${key}`, deletions);
  if (order.length > 0) setOwn(patch, `${elementOrderPrefix}/${key}`, order);
}

function inside(field: PatchField, { half, depth }: Context): Context {
  return { schema: field.schema, half, retainsKeys: field.strategies.includes('retainKeys'), depth: depth + 1 };
}

/** Undefined for an unknown field with equal values. Throws if the values differ. */
function knownField(
  schema: PatchSchema | undefined,
  key: string,
  before: JsonValue,
  after: JsonValue,
): PatchField | undefined {
  return schema?.field(key) ?? (jsonEquals(before, after) ? undefined : fieldOf(schema, key));
}

function replace(patch: JsonObject, key: string, before: JsonValue, after: JsonValue, half: Half): void {
  if (half === 'settings' && !jsonEquals(before, after)) setOwn(patch, key, after);
}

function retainKeys(patch: JsonObject, to: JsonObject): void {
  const keys = members(to).flatMap(([key, value]) => (value === null ? [] : [key]));
  if (keys.length > 0) patch[retainKeysMarker] = keys.sort(compareBytes);
}

function members(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
}
