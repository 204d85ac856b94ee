import { isJsonObject, setOwn, stringifyJson, type JsonObject, type JsonValue } from '@flotilla/kube';

/**
 * A patched object as refusals show it. Go's patch libraries keep what they do not look into as it was, but turn the objects
 * on the way into maps, whose keys come out sorted.
 */
export function patchedText(patched: JsonValue, lookedInto: JsonValue): string {
  return stringifyJson(inGoOrder(patched, lookedInto));
}

function inGoOrder(value: JsonValue, lookedInto: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(lookedInto)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    const inner = Object.hasOwn(lookedInto, key) ? lookedInto[key] : undefined;
    setOwn(sorted, key, inGoOrder(value[key] ?? null, inner));
  }
  return sorted;
}

/** Which objects a JSON patch goes through: those on the ways to its paths. */
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
