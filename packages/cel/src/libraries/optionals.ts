import { declare, listOfA, mapOfAB, member, overload, paramA, paramB, type Library } from '../library.ts';
import { optionalMacros } from '../parse/macros/binding-macros.ts';
import { types } from '../type.ts';
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
  type Result,
} from '../value.ts';
import { ArrayList } from '../values/list.ts';
import { valueText } from '../values/value-text.ts';

const { bool, dyn, int, string } = types;
const optionalA = types.optional(paramA);
const optionalB = types.optional(paramB);
const listOfOptionals = types.list(optionalA);

const nothing = new CelError('optional.none() dereference');

/** Optional values. The evaluator implements steps into them and `or`. */
export const optionalLibrary: Library = {
  name: 'optional',
  macros: optionalMacros,
  variables: new Map([['optional_type', { kind: 'type', of: types.optional(dyn) }]]),
  functions: [
    declare(
      'optional.of',
      overload('optional_of', [paramA], optionalA, (value: CelValue) => new CelOptional(value)),
    ),
    declare(
      'optional.ofNonZeroValue',
      overload('optional_ofNonZeroValue', [paramA], optionalA, (value: CelValue) =>
        isZero(value) ? CelOptional.none : new CelOptional(value),
      ),
    ),
    declare(
      'optional.none',
      overload('optional_none', [], optionalA, () => CelOptional.none),
    ),
    declare(
      'value',
      member('optional_value', [optionalA], paramA, ({ value }: CelOptional) =>
        value === undefined ? nothing : value,
      ),
    ),
    declare(
      'hasValue',
      member('optional_hasValue', [optionalA], bool, ({ value }: CelOptional) => value !== undefined),
    ),
    declare('or', member('optional_or_optional', [optionalA, optionalA], optionalA)),
    declare('orValue', member('optional_orValue_value', [optionalA, paramA], paramA)),
    declare('_?._', overload('select_optional_field', [dyn, string], optionalA)),
    declare(
      '_[?_]',
      overload('list_optindex_optional_int', [listOfA, int], optionalA),
      overload('optional_list_optindex_optional_int', [types.optional(listOfA), int], optionalA),
      overload('map_optindex_optional_value', [mapOfAB, paramA], optionalB),
      overload('optional_map_optindex_optional_value', [types.optional(mapOfAB), paramA], optionalB),
    ),
    declare(
      '_[_]',
      overload('optional_list_index_int', [types.optional(listOfA), int], optionalA),
      overload('optional_map_index_value', [types.optional(mapOfAB), paramA], optionalB),
    ),
    declare(
      'first',
      member('list_first', [listOfA], optionalA, (list: CelList) => elementOrNone(list, 0)),
    ),
    declare(
      'last',
      member('list_last', [listOfA], optionalA, (list: CelList) => elementOrNone(list, list.size - 1)),
    ),
    declare('optional.unwrap', overload('optional_unwrap', [listOfOptionals], listOfA, unwrap)),
    declare('unwrapOpt', member('optional_unwrapOpt', [listOfOptionals], listOfA, unwrap)),
  ],
};

function elementOrNone(list: CelList, index: number): Result {
  if (list.size === 0) return CelOptional.none;
  const element = list.at(index);
  return element instanceof CelError ? element : new CelOptional(element);
}

function unwrap(list: CelList): Result {
  const values: CelValue[] = [];
  for (let i = 0; i < list.size; i++) {
    const element = list.at(i);
    if (element instanceof CelError) return element;
    if (!(element instanceof CelOptional)) return new CelError(`value ${valueText(element)} is not optional`);
    if (element.value !== undefined) values.push(element.value);
  }
  return new ArrayList(values);
}

/** The zero or empty value of its type. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0n || value === 0) return true;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  // Go's zero time is the start of the year 1.
  if (value instanceof CelTimestamp) return value.nanos === -62135596800n * 1_000_000_000n;
  return value instanceof CelDuration && value.nanos === 0n;
}
