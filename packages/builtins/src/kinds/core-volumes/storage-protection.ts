import type { KubeObject } from '@flotilla/kube';

/** Volumes and claims in use must not vanish: the controller of this finalizer lets them go when nobody needs them. */
export function addProtection({ metadata }: KubeObject, finalizer: string): void {
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}
