import { declare, overload, type OverloadParts } from '../declare.ts';
import type { FunctionDeclaration, Overload } from '../library.ts';
import { types, type CelType } from '../type.ts';
import { CelError, type CelValue } from '../value.ts';
import { compare, type Order } from '../values/ordering.ts';
import { sizeOf, traversalCost } from '../values/size.ts';

/** The pairs of types that can be ordered, by the end of their overloads' names. */
const ordered: readonly (readonly [name: string, left: CelType, right: CelType])[] = [
  ['bool', types.bool, types.bool],
  ['int64', types.int, types.int],
  ['int64_double', types.int, types.double],
  ['int64_uint64', types.int, types.uint],
  ['uint64', types.uint, types.uint],
  ['uint64_double', types.uint, types.double],
  ['uint64_int64', types.uint, types.int],
  ['double', types.double, types.double],
  ['double_int64', types.double, types.int],
  ['double_uint64', types.double, types.uint],
  ['string', types.string, types.string],
  ['bytes', types.bytes, types.bytes],
  ['timestamp', types.timestamp, types.timestamp],
  ['duration', types.duration, types.duration],
];

/** They are read together until they differ, at most to the end of the shorter. */
const ofShorter: OverloadParts = {
  cost: ([left, right]) => traversalCost(Math.min(sizeOf(left ?? null), sizeOf(right ?? null))),
};

export const comparisons: readonly FunctionDeclaration[] = [
  relation('_<_', 'less', (order) => order < 0),
  relation('_<=_', 'less_equals', (order) => order <= 0),
  relation('_>_', 'greater', (order) => order > 0),
  relation('_>=_', 'greater_equals', (order) => order >= 0),
];

function relation(operator: string, prefix: string, holds: (order: Order) => boolean): FunctionDeclaration {
  const call = (left: CelValue, right: CelValue) => {
    const order = compare(left, right);
    return order instanceof CelError ? order : holds(order);
  };
  return declare(
    operator,
    ...ordered.map(([name, left, right]): Overload => {
      return overload(
        `${prefix}_${name}`,
        [left, right],
        types.bool,
        call,
        name === 'string' || name === 'bytes' ? ofShorter : {},
      );
    }),
  );
}
