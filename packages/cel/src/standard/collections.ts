import { declare, listOfA, mapOfAB, member, overload, paramA, paramB, type FunctionDeclaration } from '../library.ts';
import { types } from '../type.ts';
import { CelError, type CelList, type CelMap, type CelValue, type Result } from '../value.ts';
import { isEqual } from '../values/equality.ts';
import { sizeOf } from '../values/size.ts';

const { bool, bytes, int, string } = types;

const size = (value: CelValue) => BigInt(sizeOf(value));

export const collections: readonly FunctionDeclaration[] = [
  // The evaluator implements indexing as part of a path.
  declare('_[_]', overload('index_list', [listOfA, int], paramA), overload('index_map', [mapOfAB, paramA], paramB)),
  declare(
    '@in',
    overload('in_list', [paramA, listOfA], bool, isElement, { cost: ([, list]) => sizeOf(list ?? null) }),
    overload('in_map', [paramA, mapOfAB], bool, isKey),
  ),
  declare(
    'size',
    overload('size_bytes', [bytes], int, size),
    member('bytes_size', [bytes], int, size),
    overload('size_list', [listOfA], int, size),
    member('list_size', [listOfA], int, size),
    overload('size_map', [mapOfAB], int, size),
    member('map_size', [mapOfAB], int, size),
    overload('size_string', [string], int, size),
    member('string_size', [string], int, size),
  ),
];

export function isElement(value: CelValue, list: CelList): boolean {
  for (let i = 0; i < list.size; i++) {
    const element = list.at(i);
    if (!(element instanceof CelError) && isEqual(value, element)) return true;
  }
  return false;
}

function isKey(key: CelValue, map: CelMap): Result {
  const value = map.get(key);
  return value instanceof CelError ? value : value !== undefined;
}
