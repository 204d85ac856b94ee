import type { KubeObject } from '@flotilla/kube';
import type { DeletionBehavior } from './resource.ts';
import { checkStoragePreconditions } from './storage-preconditions.ts';

interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string };
}

/** A namespace goes when whoever empties it has let go of it; on a server without controllers it stays Terminating. */
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
};
