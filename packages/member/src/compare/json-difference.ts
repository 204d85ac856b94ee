/** How one JSON document becomes another, as the operations of a JSON patch, in the order in which KubeFleet reports them. */
import { compareBytes, isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';

export type Difference =
  | { readonly operation: 'add'; readonly path: string; readonly member: JsonValue }
  | { readonly operation: 'remove'; readonly path: string; readonly hub: JsonValue }
  | { readonly operation: 'replace'; readonly path: string; readonly hub: JsonValue; readonly member: JsonValue };

/** Documents are walked recursively; far beyond any real object that stops before the stack does. */
const maxDepth = 1000;

/** The first differences, at most `limit` of them. Numbers are equal when they are the same double. */
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
  else if (!isSameScalar(hub, member)) tell(walk, { operation: 'replace', path, hub, member });
}

function compareObjects(walk: Walk, path: string, hub: JsonObject, member: JsonObject, depth: number): void {
  for (const key of [...new Set([...keysOf(hub), ...keysOf(member)])].sort(compareBytes)) {
    const place = `${path}/${escaped(key)}`;
    const inHub = Object.hasOwn(hub, key) ? hub[key] : undefined;
    const inMember = Object.hasOwn(member, key) ? member[key] : undefined;
    if (inHub === undefined) tell(walk, { operation: 'add', path: place, member: inMember ?? null });
    else if (inMember === undefined) tell(walk, { operation: 'remove', path: place, hub: inHub });
    else compareValues(walk, place, inHub, inMember, depth + 1);
  }
}

/**
 * Place by place. What the hub has more of is told first, and each time at the place behind the last common one, with what
 * stands there: a reader who removes them one after another finds them there.
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
  for (let place = common; place < hub.length; place++) {
    tell(walk, { operation: 'remove', path: `${path}/${common}`, hub: next });
  }
  for (let place = 0; place < common; place++) {
    compareValues(walk, `${path}/${place}`, hub[place] ?? null, member[place] ?? null, depth + 1);
  }
  for (const added of member.slice(common)) tell(walk, { operation: 'add', path: `${path}/-`, member: added });
}

function tell(walk: Walk, difference: Difference): void {
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
