import { CelError, CelList, type CelValue, type Result } from '../../value.ts';
import { isEqual } from '../../values/equality.ts';
import { ArrayList, slice } from '../../values/list.ts';
import { compare } from '../../values/ordering.ts';
import { sameType, typeOf } from '../../values/type-of.ts';
import { endAtCostLimit, maxListSize, countWork } from '../../values/work.ts';

export function sliceList(values: CelList, start: bigint, end: bigint): Result {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new CelError(`${call}, negative indexes not supported`);
  if (start > end) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (BigInt(values.size) < end) return new CelError(`${call}, list is length ${values.size}`);
  return slice(values, Number(start), Number(end));
}

export function flatten(nested: CelList, depth: bigint): Result {
  if (depth < 0n) return new CelError('level must be non-negative');
  const values: CelValue[] = [];
  return addFlat(nested, depth, values) ?? new ArrayList(values);
}

/** Lists nest no deeper than the expression that created them. */
function addFlat(nested: CelList, depth: bigint, values: CelValue[]): CelError | undefined {
  for (let i = 0; i < nested.size; i++) {
    const value = nested.at(i);
    if (value instanceof CelError) return value;
    countWork(1);
    if (!(value instanceof CelList) || depth === 0n) values.push(value);
    else {
      const failure = addFlat(value, depth - 1n, values);
      if (failure) return failure;
    }
  }
  return undefined;
}

/** The numbers below a limit, created on demand. */
class NumberRange extends CelList {
  override readonly size: number;

  constructor(size: number) {
    super();
    this.size = size;
  }

  override at(index: number): Result {
    return BigInt(index);
  }
}

export function numbersBelow(end: bigint): Result {
  if (end > BigInt(maxListSize)) endAtCostLimit();
  return new NumberRange(end < 0n ? 0 : Number(end));
}

/** A list in reverse, without copying. */
class ReversedList extends CelList {
  readonly #list: CelList;

  constructor(values: CelList) {
    super();
    this.#list = values;
  }

  override get size(): number {
    return this.#list.size;
  }

  override at(index: number): Result {
    return this.#list.at(this.#list.size - 1 - index);
  }
}

export function reverse(values: CelList): CelList {
  return new ReversedList(values);
}

export function distinct(values: CelList): Result {
  const found: CelValue[] = [];
  const known = new Set<CelValue>();
  for (let i = 0; i < values.size; i++) {
    const value = values.at(i);
    if (value instanceof CelError) return value;
    if (known.has(value) || (typeof value !== 'string' && found.some((other) => isEqual(value, other)))) continue;
    if (typeof value === 'string') known.add(value);
    found.push(value);
  }
  return new ArrayList(found);
}

/** Sorts values by keys in another list. */
export function sortByKeys(values: CelList, keys: CelList): Result {
  if (values.size !== keys.size) {
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${values.size} and ${keys.size} elements respectively`,
    );
  }
  const pairs = pair(values, keys);
  if (pairs instanceof CelError || pairs.length === 0) return pairs instanceof CelError ? pairs : values;
  const problem = orderProblem(pairs);
  if (problem !== undefined) return new CelError(problem);
  pairs.sort((a, b) => orderOf(a.key, b.key));
  return new ArrayList(pairs.map(({ value }) => value));
}

interface Pair {
  readonly key: CelValue;
  readonly value: CelValue;
}

function pair(values: CelList, keys: CelList): Pair[] | CelError {
  const pairs: Pair[] = [];
  for (let i = 0; i < values.size; i++) {
    const value = values.at(i);
    const key = keys.at(i);
    if (value instanceof CelError) return value;
    if (key instanceof CelError) return key;
    pairs.push({ key, value });
  }
  return pairs;
}

function orderProblem(pairs: readonly Pair[]): string | undefined {
  const first = (pairs[0] as Pair).key;
  if (compare(first, first) instanceof CelError && !Number.isNaN(first)) return 'list elements must be comparable';
  const type = typeOf(first);
  return pairs.every(({ key }) => sameType(typeOf(key), type)) ? undefined : 'list elements must have the same type';
}

function orderOf(a: CelValue, b: CelValue): number {
  const order = compare(a, b);
  return order instanceof CelError ? 0 : order;
}
