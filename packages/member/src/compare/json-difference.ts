/** The operations of a JSON patch from the hub's document to the member's, in KubeFleet's order. */
import { compareBytes, isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';

export type Difference =
  | { readonly operation: 'add'; readonly path: string; readonly member: JsonValue }
  | { readonly operation: 'remove'; readonly path: string; readonly hub: JsonValue }
  | { readonly operation: 'replace'; readonly path: string; readonly hub: JsonValue; readonly member: JsonValue };

/** Limits the recursion below the size of the stack, and far above the depth of real objects. */
const maxDepth = 1000;

/** The first `limit` differences. Numbers are equal if they are the same double. */
export function jsonDifferences(hub: JsonObject, member: JsonObject, limit: number): readonly Difference[] {
  const walk: Walk = { found: [], limit };
  compareValues(walk, '', hub, member, 0);
  return walk.found;
}

interface Walk {
  readonly found: Difference[];
  readonly limit: number;
}

function compareValues(walk: Walk, path: string, hub: JsonValue, member: JsonValue, depth: number): void {
  if (depth > maxDepth) throw new Error(`objects nested more than ${maxDepth} levels deep cannot be compared`);
  if (walk.found.length >= walk.limit) return;
  if (isJsonObject(hub) && isJsonObject(member)) compareObjects(walk, path, hub, member, depth);
  else if (Array.isArray(hub) && Array.isArray(member)) compareLists(walk, path, hub, member, depth);
  else if (!isSameScalar(hub, member)) add(walk, { operation: 'replace', path, hub, member });
}

function compareObjects(walk: Walk, path: string, hub: JsonObject, member: JsonObject, depth: number): void {
  for (const key of [...new Set([...keysOf(hub), ...keysOf(member)])].sort(compareBytes)) {
    const child = `${path}/${escaped(key)}`;
    const inHub = Object.hasOwn(hub, key) ? hub[key] : undefined;
    const inMember = Object.hasOwn(member, key) ? member[key] : undefined;
    if (inHub === undefined) add(walk, { operation: 'add', path: child, member: inMember ?? null });
    else if (inMember === undefined) add(walk, { operation: 'remove', path: child, hub: inHub });
    else compareValues(walk, child, inHub, inMember, depth + 1);
  }
}

/**
 * Compares items by index. Extra items of the hub come first, all with the index after the last common one and the item
 * there: a JSON patch that removes them one by one finds each at that index.
 */
function compareLists(
  walk: Walk,
  path: string,
  hub: readonly JsonValue[],
  member: readonly JsonValue[],
  depth: number,
): void {
  const common = Math.min(hub.length, member.length);
  const next = hub[common] ?? null;
  for (let index = common; index < hub.length; index++) {
    add(walk, { operation: 'remove', path: `${path}/${common}`, hub: next });
  }
  for (let index = 0; index < common; index++) {
    compareValues(walk, `${path}/${index}`, hub[index] ?? null, member[index] ?? null, depth + 1);
  }
  for (const added of member.slice(common)) add(walk, { operation: 'add', path: `${path}/-`, member: added });
}

function add(walk: Walk, difference: Difference): void {
  if (walk.found.length < walk.limit) walk.found.push(difference);
}

function isSameScalar(hub: JsonValue, member: JsonValue): boolean {
  const number = doubleOf(hub);
  return number === undefined ? hub === member : number === doubleOf(member);
}

function doubleOf(value: JsonValue): number | undefined {
  if (value instanceof JsonFloat) return value.value;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

function keysOf(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
