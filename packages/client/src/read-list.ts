import { apiVersionOf, isJsonObject, type Kind, type KubeObject } from '@flotilla/kube';
import type { ObjectList } from './client.ts';
import { ItemSplitter } from './item-splitter.ts';
import { readJsonObject } from './read-json.ts';

/** Reads a list while it comes, item by item. */
export async function readList<T extends KubeObject>(
  kind: Kind<T>,
  body: AsyncIterable<Uint8Array>,
): Promise<ObjectList<T>> {
  const splitter = new ItemSplitter();
  const items: T[] = [];
  for await (const piece of body) {
    for (const item of splitter.push(piece)) items.push(named(kind, readJsonObject(item) as T));
  }
  return { items, ...metadataIn(splitter.frame()) };
}

/** Lists of built-in kinds do not repeat in each item what it is. */
function named<T extends KubeObject>(kind: Kind<T>, item: T): T {
  return 'kind' in item ? item : Object.assign({ apiVersion: apiVersionOf(kind), kind: kind.kind }, item);
}

function metadataIn(frame: Uint8Array): Omit<ObjectList<KubeObject>, 'items'> {
  const { metadata } = readJsonObject(frame);
  const { resourceVersion, continue: next, remainingItemCount } = isJsonObject(metadata) ? metadata : {};
  return {
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    ...(typeof next === 'string' && next !== '' && { continue: next }),
    ...(typeof remainingItemCount === 'number' && { remainingItemCount }),
  };
}
