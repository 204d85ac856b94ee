import type { KubeObject } from '@flotilla/kube';
import type { DeletionBehavior } from './resource.ts';
import { decodeStored, encoderOf, withRevisionPlace } from './object-bytes.ts';
import type { Entry } from '../store/store.ts';
import type { Surroundings } from '../verbs/context.ts';
import { checkStoragePreconditions } from './storage-preconditions.ts';

interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string };
}

/**
 * A namespace goes when its content has gone. Until a namespace controller empties it, an empty one goes at once and any
 * other stays Terminating.
 */
export const namespaceDeletion: DeletionBehavior = {
  // The first delete only ever marks, even a namespace that nothing holds.
  isHeld: ({ spec, metadata }: Namespace) =>
    metadata.deletionTimestamp === undefined || (spec?.finalizers?.length ?? 0) > 0,

  checkPreconditions: (name, asked, stored) =>
    checkStoragePreconditions({ resource: 'namespaces', group: '' }, name, asked, stored),

  mark: (namespace: Namespace) => {
    namespace.status = { ...namespace.status, phase: 'Terminating' };
    // Namespaces have a way of their own to go, which knows no grace.
    delete namespace.metadata.deletionGracePeriodSeconds;
  },

  afterMark: async (server, entry) => {
    if (!isEmpty(server, entry.key.name)) return;
    const namespace = decodeStored(entry.bytes) as Namespace;
    if (namespace.metadata.finalizers?.length) return;
    namespace.spec = {};
    await removeEmpty(server, entry, namespace);
  },
};

function isEmpty({ store, registry }: Surroundings, namespace: string): boolean {
  for (const { namespaced, isStored, collection } of registry.all()) {
    if (namespaced && isStored && store.count(collection, `${namespace}/`) > 0) return false;
  }
  return true;
}

async function removeEmpty({ store }: Surroundings, { key, revision }: Entry, namespace: Namespace): Promise<void> {
  await store.write([{ verb: 'delete', key, expected: revision, encode: encoderOf(withRevisionPlace(namespace)) }]);
}
