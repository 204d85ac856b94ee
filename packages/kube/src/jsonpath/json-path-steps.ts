import { compareBytes } from '../go/format.ts';
import { isJsonObject, JsonFloat, type JsonValue } from '../json/value.ts';

/** One element of a path. Maps all values found so far to the next ones. */
export type Step = (values: readonly JsonValue[]) => JsonValue[];

/** `..*..*` multiplies its results. */
const maxFound = 10_000;

export function literal(text: JsonValue): Step {
  return () => [text];
}

/** Yields the constant once for each value. */
export function constant(value: JsonValue): Step {
  return (values) => values.map(() => value);
}

export function field(name: string): Step {
  return (values) => {
    const found: JsonValue[] = [];
    for (const value of values) {
      if (!isJsonObject(value) || !Object.hasOwn(value, name)) continue;
      const child = value[name];
      if (child !== undefined) found.push(child);
    }
    return found;
  };
}

export function wildcard(): Step {
  return (values) => bounded(values.flatMap(childrenOf));
}

/** The value and all its descendants. */
export function recursive(): Step {
  return (values) => {
    const found: JsonValue[] = [];
    const waiting = values.toReversed();
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      const children = childrenOf(value);
      if (children.length === 0) continue;
      found.push(value);
      for (const child of children.toReversed()) waiting.push(child);
      bounded(waiting);
    }
    return found;
  };
}

export function union(branches: readonly (readonly Step[])[]): Step {
  return (values) => bounded(branches.flatMap((steps) => follow(steps, values)));
}

/** `[from:to:step]`. For a single index, `to` is derived. */
interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly isIndex: boolean;
  readonly step: number | undefined;
}

export function slice(bounds: Slice): Step {
  return (values) => {
    const found: JsonValue[] = [];
    for (const value of values) {
      if (value === null) continue;
      if (!Array.isArray(value)) throw new JsonPathError('a slice needs a list');
      const taken = sliceOf(value, bounds);
      // An empty slice ends the search, as in client-go.
      if (taken === undefined) return found;
      for (const element of taken) found.push(element);
    }
    return bounded(found);
  };
}

function sliceOf(list: readonly JsonValue[], bounds: Slice): JsonValue[] | undefined {
  const { length } = list;
  const from = fromEnd(bounds.from ?? 0, length, false);
  const to = fromEnd(bounds.to ?? length, length, bounds.isIndex);
  if (from === to) return undefined;
  if (from < 0 || from >= length || to < 0 || to > length || from > to) {
    throw new JsonPathError(`array index out of bounds: index ${from}, length ${length}`);
  }
  const step = bounds.step ?? 1;
  if (step <= 0) throw new JsonPathError('step must be > 0');
  return list.slice(from, to).filter((_, index) => index % step === 0);
}

/** After -1 comes 0, which means the end. */
function fromEnd(index: number, length: number, zeroIsEnd: boolean): number {
  return index < 0 || (index === 0 && zeroIsEnd) ? index + length : index;
}

export function exists(path: readonly Step[]): Step {
  return (values) => elementsOf(values).filter((element) => follow(path, [element]).length > 0);
}

export type Comparison = '<' | '>' | '==' | '!=' | '<=' | '>=';

export function filter(left: readonly Step[], comparison: Comparison, right: readonly Step[]): Step {
  return (values) =>
    elementsOf(values).filter((element) => {
      const a = only(follow(left, [element]));
      if (a === undefined) return false;
      const b = only(follow(right, [element]));
      return b !== undefined && compare(a, comparison, b);
    });
}

function elementsOf(values: readonly JsonValue[]): JsonValue[] {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return value;
    throw new JsonPathError('a filter needs a list');
  });
}

function only(found: readonly JsonValue[]): JsonValue | undefined {
  if (found.length > 1) throw new JsonPathError('can only compare one element at a time');
  return found[0];
}

/** Both must have the same type: an integer does not compare with a fraction. */
function compare(a: JsonValue, comparison: Comparison, b: JsonValue): boolean {
  const kind = kindOf(a);
  if (kind === undefined || kind !== kindOf(b)) throw new JsonPathError('incompatible types for comparison');
  const order = orderOf(a, b);
  if (comparison === '==') return order === 0;
  if (comparison === '!=') return order !== 0;
  if (kind === 'bool') throw new JsonPathError('invalid type for comparison');
  if (comparison === '<') return order < 0;
  if (comparison === '<=') return order <= 0;
  return comparison === '>' ? order > 0 : order >= 0;
}

function kindOf(value: JsonValue): 'bool' | 'int' | 'float' | 'string' | undefined {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return value instanceof JsonFloat ? 'float' : undefined;
}

function orderOf(a: JsonValue, b: JsonValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b);
  const [x, y] = [numeric(a), numeric(b)];
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

function numeric(value: JsonValue): number | bigint {
  if (value instanceof JsonFloat) return value.value;
  return typeof value === 'bigint' ? value : Number(value);
}

/** In key order, because Go's maps have none. The children of a string are its bytes, as in Go. */
function childrenOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...Buffer.from(value)];
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .sort(compareBytes)
    .map((key) => value[key])
    .filter((child) => child !== undefined);
}

function follow(steps: readonly Step[], values: readonly JsonValue[]): JsonValue[] {
  let found: JsonValue[] = [...values];
  for (const step of steps) found = step(found);
  return found;
}

function bounded(found: JsonValue[]): JsonValue[] {
  if (found.length > maxFound) throw new JsonPathError(`the path leads to more than ${maxFound} values`);
  return found;
}

/** A path that cannot be parsed, or does not fit the value. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
