/** Reads objects that plugins look up by key: classes, accounts, limits. */
import type { KubeObject } from '@flotilla/kube';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Store } from '../store/store.ts';

interface Dependencies {
  readonly store: Pick<Store, 'newest' | 'snapshot'>;
}

export function storedObject({ store }: Dependencies, collection: string, name: string): KubeObject | undefined {
  const entry = store.newest({ collection, name });
  return entry && decodeStored(entry.bytes);
}

export function namespacedObject(
  dependencies: Dependencies,
  collection: string,
  namespace: string,
  name: string,
): KubeObject | undefined {
  return storedObject(dependencies, collection, `${namespace}/${name}`);
}

/** All objects of a collection, or those of one namespace. */
export function* storedObjects({ store }: Dependencies, collection: string, namespace = ''): Generator<KubeObject> {
  const prefix = namespace === '' ? '' : `${namespace}/`;
  for (const { bytes } of store.snapshot().range(collection, prefix)) yield decodeStored(bytes);
}
