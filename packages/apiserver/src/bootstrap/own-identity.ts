import { decodeStored, encoderOf, withRevisionPlace } from '../resources/object-bytes.ts';
import type { Surroundings } from '../verbs/context.ts';

/**
 * People and programs tell clusters apart by the uid of this namespace. A server that starts as a copy of another is a cluster
 * of its own, and needs one of its own.
 */
const place = { collection: 'namespaces', name: 'kube-system' };

export async function takeOwnIdentity({ store, uid }: Surroundings): Promise<void> {
  const copied = store.newest(place);
  if (!copied) return;
  const own = uid();
  const object = decodeStored(copied.bytes);
  const encode = encoderOf(withRevisionPlace({ ...object, metadata: { ...object.metadata, uid: own } }));
  const header = { ...copied.header, uid: own };
  await store.write([{ verb: 'put', key: place, expected: copied.revision, header, encode }]);
}
