import { hasSortedKeys, setOwn, sortedKeys, type JsonObject } from '@flotilla/kube';

/** Returns the map itself if it is sorted, else a sorted copy. */
export function sortedByKey(map: JsonObject): JsonObject {
  return hasSortedKeys(map) ? map : withKeys(map, sortedKeys(map));
}

export function withKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  const result: JsonObject = {};
  for (const key of keys) setOwn(result, key, object[key] ?? null);
  return result;
}
