import type { KubeObject } from '@flotilla/kube';

const ownedByTheMainEndpoint = [
  'deletionTimestamp',
  'generation',
  'selfLink',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const;

/** For kinds whose status endpoint may not touch metadata. Managed fields stay: they tell of the status write itself. */
export function keepMetadata(object: KubeObject, old: KubeObject): void {
  for (const field of ownedByTheMainEndpoint) {
    const before = old.metadata[field];
    if (before === undefined) delete object.metadata[field];
    else Object.assign(object.metadata, { [field]: before });
  }
}
