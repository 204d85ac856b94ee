/** cel-go's lists extension, version 3. Kubernetes' older list functions are another library. */
import {
  fixed,
  maxCost,
  plus,
  scaled,
  times,
  unknownCost,
  type CostRange,
  type EstimatedArgument,
} from '../../cost/cost.ts';
import { declare, member, overload, type CallEstimate, type Library, type OverloadParts } from '../../library.ts';
import { sortByMacro } from '../../parse/macros/binding-macros.ts';
import { types, type CelType } from '../../type.ts';
import { CelError, type CelList } from '../../value.ts';
import { sizeOf } from '../../values/size.ts';
import { typeName, typeOf } from '../../values/type-of.ts';
import { distinct, flatten, numbersBelow, reverse, sliceList, sortByKeys } from './list-functions.ts';

const { int } = types;
const element = types.param('T');
const list = types.list(element);
const listOfDyn = types.list(types.dyn);

const comparable: readonly CelType[] = [
  types.int,
  types.uint,
  types.double,
  types.bool,
  types.duration,
  types.timestamp,
  types.string,
  types.bytes,
];

export const extendedListsLibrary: Library = {
  name: 'extended-lists',
  macros: [sortByMacro],
  functions: [
    declare('slice', member('list_slice', [list, int, int], list, sliceList, sliceCosts())),
    declare(
      'flatten',
      member('list_flatten', [types.list(list)], list, (nested: CelList) => flatten(nested, 1n), flattenCosts()),
      member('list_flatten_int', [listOfDyn, int], listOfDyn, flatten, flattenCosts()),
    ),
    declare(
      'sort',
      ...comparable.map((type) =>
        member(
          `list_${typeName(type)}_sort`,
          [types.list(type)],
          types.list(type),
          (values: CelList) => sortByKeys(values, values),
          sortCosts(type, 0),
        ),
      ),
    ),
    declare(
      '@sortByAssociatedKeys',
      ...comparable.map((type) =>
        member(
          `list_${typeName(type)}_sortByAssociatedKeys`,
          [list, types.list(type)],
          list,
          sortByKeys,
          sortCosts(type, 1),
        ),
      ),
    ),
    declare('lists.range', overload('lists_range', [int], types.list(int), numbersBelow, rangeCosts())),
    declare('reverse', member('list_reverse', [list], list, reverse, reverseCosts())),
    declare('distinct', member('list_distinct', [list], list, distinct, distinctCosts())),
  ],
};

function sliceCosts(): OverloadParts {
  return {
    cost: ([, start, end]) => allocating(1, Math.max(0, Number(end) - Number(start))),
    estimate: ([values, start, end]) => {
      const size = Math.max(0, literalOr(end, values?.size.max ?? maxCost) - literalOr(start, 0));
      return allocatingEstimate(1, fixed(size));
    },
  };
}

function flattenCosts(): OverloadParts {
  return {
    cost: ([values, depth]) => allocating(depth === undefined ? 1 : Math.max(0, Number(depth)), sizeOf(values ?? null)),
    estimate: ([values, depth]) =>
      allocatingEstimate(depth === undefined ? 1 : literalOr(depth, maxCost), sizeOfArgument(values)),
  };
}

function rangeCosts(): OverloadParts {
  return {
    cost: ([end]) => allocating(1, Math.max(0, Number(end))),
    estimate: ([end]) => allocatingEstimate(1, fixed(literalOr(end, maxCost))),
  };
}

function reverseCosts(): OverloadParts {
  return {
    cost: ([values]) => allocating(1, sizeOf(values ?? null)),
    estimate: ([values]) => allocatingEstimate(1, sizeOfArgument(values)),
  };
}

function distinctCosts(): OverloadParts {
  return {
    cost: ([values]) => selfCompareCost(values as CelList),
    estimate: ([values]) => allocatingEstimate(2, times(sizeOfArgument(values), sizeOfArgument(values))),
  };
}

/** As if each key were compared with each other. */
function sortCosts(type: CelType, keys: 0 | 1): OverloadParts {
  const factor = type.kind === 'string' || type.kind === 'bytes' ? 2.1 : 2;
  return {
    cost: (args) => selfCompareCost(args[keys] as CelList),
    estimate: (args) => allocatingEstimate(factor, times(sizeOfArgument(args[keys]), sizeOfArgument(args[keys]))),
  };
}

function selfCompareCost(values: CelList): number {
  const first = values.size === 0 ? null : values.at(0);
  const kind = first instanceof CelError ? 'error' : typeOf(first).kind;
  return allocating(kind === 'string' || kind === 'bytes' ? 2.1 : 2, values.size * values.size);
}

/** A call, a new list, and `factor` for each element. */
function allocating(factor: number, size: number): number {
  return Math.floor(size * factor) + 11;
}

function allocatingEstimate(factor: number, size: CostRange): CallEstimate {
  return { cost: plus(scaled(size, factor), fixed(11)), resultSize: size };
}

function sizeOfArgument(argument: EstimatedArgument | undefined): CostRange {
  return argument?.size ?? unknownCost;
}

function literalOr(argument: EstimatedArgument | undefined, otherwise: number): number {
  const expr = argument?.expr;
  if (expr?.kind !== 'literal' || expr.value.type !== 'int') return otherwise;
  return Math.max(0, Number(expr.value.value));
}
