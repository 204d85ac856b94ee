import { declare, overload, paramA, type FunctionDeclaration, type Overload, type OverloadParts } from '../library.ts';
import { types, type CelType } from '../type.ts';
import { CelError, type CelValue } from '../value.ts';
import { compare, type Order } from '../values/ordering.ts';
import { sizeOf, traversalCost } from '../values/size.ts';

const { bool } = types;

/** The evaluator implements those without a function: they skip arguments or absorb errors. */
export const logic: readonly FunctionDeclaration[] = [
  declare('_?_:_', overload('conditional', [bool, paramA, paramA], paramA)),
  declare('_&&_', overload('logical_and', [bool, bool], bool)),
  declare('_||_', overload('logical_or', [bool, bool], bool)),
  declare('@not_strictly_false', overload('not_strictly_false', [bool], bool)),
  declare(
    '!_',
    overload('logical_not', [bool], bool, (value: boolean) => !value),
  ),
  declare('_==_', overload('equals', [paramA, paramA], bool)),
  declare('_!=_', overload('not_equals', [paramA, paramA], bool)),
];

/** The type pairs that can be ordered, by the suffix of their overload ids. */
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

/** Both are read up to the first difference, at most to the end of the shorter. */
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
