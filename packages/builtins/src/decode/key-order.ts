import { compareBytes, setOwn, type JsonObject } from '@flotilla/kube';

/** Keys in byte order, as Go writes maps. Most clients already send them sorted. */
export function sortedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  return areSorted(keys) ? keys : keys.sort(compareBytes);
}

/** Returns the map itself if it is sorted, else a sorted copy. */
export function sortedByKey(map: JsonObject): JsonObject {
  const keys = Object.keys(map);
  return areSorted(keys) ? map : withKeys(map, keys.sort(compareBytes));
}

export function withKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  const result: JsonObject = {};
  for (const key of keys) setOwn(result, key, object[key] ?? null);
  return result;
}

function areSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) {
    if (compareBytes(keys[i - 1] ?? '', keys[i] ?? '') > 0) return false;
  }
  return true;
}
