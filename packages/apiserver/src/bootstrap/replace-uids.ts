import { decodeStored, encoderOf, withRevisionSlot } from '../resources/object-bytes.ts';
import type { Entry, Write } from '../store/store.ts';
import type { Server } from '../call/server.ts';

/**
 * Kinds whose UID identifies a cluster: clients identify it by the UID of `kube-system`, and tokens name the UID of their service
 * account.
 */
const collections = ['namespaces', 'serviceaccounts'];

/** Gives a server that starts as a copy of another its own UIDs. */
export async function replaceUids({ store, uid }: Pick<Server, 'store' | 'uid'>): Promise<void> {
  const snapshot = store.snapshot();
  const copied = collections.flatMap((collection) => [...snapshot.range(collection, '')]);
  if (copied.length > 0) await store.write(copied.map((entry) => withUid(entry, uid())));
}

function withUid({ key, header, bytes, revision: expected }: Entry, uid: string): Write {
  const object = decodeStored(bytes);
  const encode = encoderOf(withRevisionSlot({ ...object, metadata: { ...object.metadata, uid } }));
  return { verb: 'put', key, expected, header: { ...header, uid }, encode };
}
