import { isJsonObject, setOwn, stringifyJson, type JsonObject, type JsonValue } from '@flotilla/kube';

/**
 * A patched object as error messages show it. Go's patch libraries keep the text of objects that they do not visit. They decode
 * the others into maps, whose keys are printed sorted.
 */
export function patchedText(patched: JsonValue, visited: JsonValue): string {
  return stringifyJson(inGoOrder(patched, visited));
}

function inGoOrder(value: JsonValue, visited: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(visited)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    const inner = Object.hasOwn(visited, key) ? visited[key] : undefined;
    setOwn(sorted, key, inGoOrder(value[key] ?? null, inner));
  }
  return sorted;
}

/** The objects that a JSON patch visits: the parents of its paths. */
export function objectsOnPaths(patch: JsonValue): JsonObject {
  const root: JsonObject = {};
  for (const operation of Array.isArray(patch) ? patch : []) {
    if (!isJsonObject(operation)) continue;
    for (const pointer of [operation['path'], operation['from']]) {
      if (typeof pointer === 'string') addPath(root, pointer.split('/').slice(1, -1));
    }
  }
  return root;
}

function addPath(root: JsonObject, keys: readonly string[]): void {
  let object = root;
  for (const escaped of keys) {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    const inner = Object.hasOwn(object, key) ? object[key] : undefined;
    const next: JsonObject = isJsonObject(inner) ? inner : {};
    setOwn(object, key, next);
    object = next;
  }
}
