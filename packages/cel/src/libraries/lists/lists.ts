import { oneUnit, plus, scaled, times, traversalFactor, type EstimatedArgument } from '../../cost/cost.ts';
import {
  declare,
  listOfA,
  member,
  paramA,
  type CallEstimate,
  type FunctionDeclaration,
  type Library,
  type OverloadParts,
} from '../../library.ts';
import { types, type CelType } from '../../type.ts';
import { CelDuration, CelError, CelList, CelMap, CelUint, type CelValue, type Result } from '../../value.ts';
import { isEqual } from '../../values/equality.ts';
import { elementsOf } from '../../values/list.ts';
import { compare, type Order } from '../../values/ordering.ts';
import { duration, int, uint } from '../../values/range.ts';
import { countWork } from '../../values/work.ts';

const summableTypes: readonly [name: string, type: CelType, zero: CelValue][] = [
  ['int', types.int, 0n],
  ['uint', types.uint, new CelUint(0n)],
  ['double', types.double, 0],
  ['duration', types.duration, new CelDuration(0n)],
];

const comparableTypes: readonly [name: string, type: CelType][] = [
  ['int', types.int],
  ['uint', types.uint],
  ['double', types.double],
  ['bool', types.bool],
  ['duration', types.duration],
  ['timestamp', types.timestamp],
  ['string', types.string],
  ['bytes', types.bytes],
];

/** Reads each element once. Texts cost by their length. */
export const readsList: OverloadParts = {
  cost: ([list]) => readingCost(list as CelValue),
  estimate: ([list]) => listEstimate(list as EstimatedArgument),
};

/** Kubernetes' list functions. */
export const listsLibrary: Library = {
  name: 'kubernetes.lists',
  functions: [
    declare(
      'isSorted',
      ...comparableTypes.map(([name, type]) =>
        member(`list_${name}_is_sorted_bool`, [types.list(type)], types.bool, isSorted, readsList),
      ),
    ),
    declare(
      'sum',
      ...summableTypes.map(([name, type, zero]) =>
        member(`list_${name}_sum_${name}`, [types.list(type)], type, (list: CelList) => sum(list, zero), readsList),
      ),
    ),
    extreme('max', -1),
    extreme('min', 1),
    declare('indexOf', member('list_a_index_of_int', [listOfA, paramA], types.int, indexOf, readsList)),
    declare('lastIndexOf', member('list_a_last_index_of_int', [listOfA, paramA], types.int, lastIndexOf, readsList)),
  ],
};

function isSorted(list: CelList): Result {
  let previous: CelValue | undefined;
  for (const element of elementsOf(list)) {
    if (element instanceof CelError) return element;
    if (previous !== undefined && compare(previous, element) === 1) return false;
    previous = element;
  }
  return true;
}

function sum(list: CelList, zero: CelValue): Result {
  let total: Result = zero;
  for (const element of elementsOf(list)) {
    if (element instanceof CelError) return element;
    total = add(total, element);
    if (total instanceof CelError) return total;
  }
  return total;
}

function add(a: CelValue, b: CelValue): Result {
  if (typeof a === 'bigint') return int(a + (b as bigint));
  if (typeof a === 'number') return a + (b as number);
  if (a instanceof CelUint) return uint(a.value + (b as CelUint).value);
  return duration((a as CelDuration).nanos + (b as CelDuration).nanos);
}

/** `worse` is the order of the best element so far and a better one. */
function extreme(name: 'min' | 'max', worse: Order): FunctionDeclaration {
  const call = (list: CelList): Result => {
    let best: CelValue | undefined;
    for (const element of elementsOf(list)) {
      if (element instanceof CelError) return element;
      if (best === undefined || compare(best, element) === worse) best = element;
    }
    return best === undefined ? new CelError(`${name} called on empty list`) : best;
  };
  return declare(
    name,
    ...comparableTypes.map(([typeName, type]) =>
      member(`list_${typeName}_${name}_${typeName}`, [types.list(type)], type, call, readsList),
    ),
  );
}

function indexOf(list: CelList, value: CelValue): Result {
  for (let index = 0; index < list.size; index++) {
    if (isAt(list, index, value)) return BigInt(index);
  }
  return -1n;
}

function lastIndexOf(list: CelList, value: CelValue): Result {
  for (let index = list.size - 1; index >= 0; index--) {
    if (isAt(list, index, value)) return BigInt(index);
  }
  return -1n;
}

function isAt(list: CelList, index: number, value: CelValue): boolean {
  const element = list.at(index);
  return !(element instanceof CelError) && isEqual(element, value);
}

/** Texts count by bytes, rounded down. Other scalars count 1. */
function readingCost(value: Result): number {
  countWork(1);
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * traversalFactor);
  if (value instanceof Uint8Array) return Math.floor(value.length * traversalFactor);
  let cost = 0;
  if (value instanceof CelList) {
    for (const element of elementsOf(value)) cost += readingCost(element);
    return cost;
  }
  if (!(value instanceof CelMap)) return 1;
  for (const key of value.keys()) cost += readingCost(key) + readingCost(value.get(key) ?? null);
  return cost;
}

/** An argument without elements is a text. */
export function listEstimate(list: EstimatedArgument): CallEstimate {
  const element = list.element();
  if (element === undefined) return { cost: scaled(list.size, traversalFactor) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const elementCost = isText ? plus(oneUnit, scaled(element.size, traversalFactor)) : oneUnit;
  return { cost: times(list.size, elementCost) };
}
