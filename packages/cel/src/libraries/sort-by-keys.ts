import { CelError, type CelList, type CelValue, type Result } from '../value.ts';
import { ArrayList } from '../values/list.ts';
import { compare } from '../values/ordering.ts';
import { sameType, typeOf } from '../values/type-of.ts';

/** The values in the order of their keys, which are in another list. */
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
