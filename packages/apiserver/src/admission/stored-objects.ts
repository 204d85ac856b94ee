/** Objects that steps look things up in, found by their keys: classes, accounts, limits. */
import type { KubeObject } from '@flotilla/kube';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Surroundings } from '../call/call.ts';

export function storedObject(server: Surroundings, collection: string, name: string): KubeObject | undefined {
  const entry = server.store.newest({ collection, name });
  return entry && decodeStored(entry.bytes);
}

export function namespacedObject(
  server: Surroundings,
  collection: string,
  namespace: string,
  name: string,
): KubeObject | undefined {
  return storedObject(server, collection, `${namespace}/${name}`);
}

/** All of a collection, or those of one namespace. */
export function* storedObjects(server: Surroundings, collection: string, namespace = ''): Generator<KubeObject> {
  const prefix = namespace === '' ? '' : `${namespace}/`;
  for (const { bytes } of server.store.snapshot().range(collection, prefix)) yield decodeStored(bytes);
}
