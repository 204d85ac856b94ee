import type { Library } from '../library.ts';
import { standardMacros } from '../parse/macros/standard-macros.ts';
import { arithmetic } from './arithmetic.ts';
import { collections } from './collections.ts';
import { conversions } from './conversions.ts';
import { comparisons, logic } from './logic.ts';
import { strings } from './strings.ts';
import { time } from './time.ts';
import { types, type CelType } from '../type.ts';

/** Names of types. */
const typeNames: ReadonlyMap<string, CelType> = new Map(
  Object.entries({
    bool: types.bool,
    bytes: types.bytes,
    double: types.double,
    'google.protobuf.Duration': types.duration,
    'google.protobuf.Timestamp': types.timestamp,
    int: types.int,
    list: types.list(types.dyn),
    map: types.map(types.dyn, types.dyn),
    null_type: types.null,
    string: types.string,
    type: types.type,
    uint: types.uint,
  }).map(([name, of]) => [name, { kind: 'type', of }]),
);

/** The operators and functions that every expression has. */
export const standardLibrary: Library = {
  name: 'standard',
  functions: [...logic, ...arithmetic, ...comparisons, ...collections, ...conversions, ...strings, ...time],
  macros: standardMacros,
  variables: typeNames,
};
