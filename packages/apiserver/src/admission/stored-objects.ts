import type { KubeObject } from '@flotilla/kube';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Surroundings } from '../verbs/context.ts';

/** Cluster-wide objects that steps look things up in: classes, mostly. */
export function storedObject(server: Surroundings, collection: string, name: string): KubeObject | undefined {
  const entry = server.store.newest({ collection, name });
  return entry && decodeStored(entry.bytes);
}

export function* storedObjects(server: Surroundings, collection: string): Generator<KubeObject> {
  for (const { bytes } of server.store.snapshot().range(collection, '')) yield decodeStored(bytes);
}
