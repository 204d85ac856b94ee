import { CelError, CelList, type CelValue, type Result } from '../value.ts';
import { isEqual } from '../values/equality.ts';
import { maxListSize } from '../values/limits.ts';
import { ArrayList, slice } from '../values/list.ts';
import { endAtCostLimit, work } from '../values/work.ts';

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

/** Lists are nested no deeper than the expression that made them. */
function addFlat(nested: CelList, depth: bigint, values: CelValue[]): CelError | undefined {
  for (let i = 0; i < nested.size; i++) {
    const value = nested.at(i);
    if (value instanceof CelError) return value;
    work(1);
    if (!(value instanceof CelList) || depth === 0n) values.push(value);
    else {
      const failure = addFlat(value, depth - 1n, values);
      if (failure) return failure;
    }
  }
  return undefined;
}

/** The numbers below another, none of which is made before it is asked for. */
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

/** Another list from its end. */
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
