import { bindingFinalizer, type Binding, type Placement, type PlacementFamily } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';

export function isDeleting({ metadata }: Readonly<KubeObject>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Whether the scheduler's finalizer holds the binding. */
export function isHeld({ metadata: { finalizers = [] } }: Readonly<Binding>): boolean {
  return finalizers.includes(bindingFinalizer);
}

/** Replaces the finalizers of a placement. */
export function withFinalizers(
  { placement: kind }: PlacementFamily,
  { metadata }: Readonly<Placement>,
  finalizers: readonly string[],
): Write {
  const { namespace, name = '', resourceVersion = '' } = metadata;
  const patch = { metadata: { resourceVersion, finalizers: [...finalizers] } };
  return { verb: 'patch', kind, key: { namespace, name }, patch };
}
