import { declare, mapOfAB, overload, paramA, paramB, type Library } from '../../library.ts';
import { mapInsertName, twoVariableMacros } from '../../parse/macros/two-variable-macros.ts';
import { CelError, type CelMap, type CelValue, type Result } from '../../value.ts';
import { EntryMap } from '../../values/map.ts';
import { valueText } from '../../values/value-text.ts';

/** Loops with a variable for the key and one for the value. */
export const twoVariableLoopsLibrary: Library = {
  name: 'two-variable-loops',
  macros: twoVariableMacros,
  functions: [
    declare(
      mapInsertName,
      overload('@mapInsert_map_key_value', [mapOfAB, paramA, paramB], mapOfAB, insert),
      overload('@mapInsert_map_map', [mapOfAB, mapOfAB], mapOfAB, insertAll),
    ),
  ],
};

/** Only macros call it, on the map under construction in their loop. */
function insert(map: CelMap, key: CelValue, value: CelValue): Result {
  if (map.get(key) !== undefined) return new CelError(`insert failed: key ${valueText(key)} already exists`);
  const target = map instanceof EntryMap ? map : copyOf(map);
  target.set(key, value);
  return target;
}

function insertAll(map: CelMap, added: CelMap): Result {
  let result: Result = map;
  for (const key of added.keys()) {
    const value = added.get(key) ?? null;
    if (value instanceof CelError || result instanceof CelError) return value instanceof CelError ? value : result;
    result = insert(result as CelMap, key, value);
  }
  return result;
}

function copyOf(map: CelMap): EntryMap {
  const copy = new EntryMap();
  for (const key of map.keys()) {
    const value = map.get(key);
    if (value !== undefined && !(value instanceof CelError)) copy.set(key, value);
  }
  return copy;
}
