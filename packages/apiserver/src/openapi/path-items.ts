import type { JsonObject } from '@flotilla/kube';
import type { Steps } from '@flotilla/timing';
import type { Path } from './operation.ts';

/** The path items of a document in order, formatted by `pathItem`. */
export function* pathItems(paths: readonly Path[], pathItem: (path: Path) => JsonObject): Steps<JsonObject> {
  const items: JsonObject = {};
  for (const path of paths.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    items[path.path] = pathItem(path);
    yield;
  }
  return items;
}
