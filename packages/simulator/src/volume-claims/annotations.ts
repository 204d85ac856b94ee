/** The annotations by which controllers of volumes remember what they did. */
import type { KubeObject } from '@flotilla/kube';

export const bindCompleted = 'pv.kubernetes.io/bind-completed';
export const boundByController = 'pv.kubernetes.io/bound-by-controller';
export const provisionedBy = 'pv.kubernetes.io/provisioned-by';
export const selectedNode = 'volume.kubernetes.io/selected-node';
export const storageProvisioner = 'volume.kubernetes.io/storage-provisioner';
export const betaStorageProvisioner = 'volume.beta.kubernetes.io/storage-provisioner';
export const betaStorageClass = 'volume.beta.kubernetes.io/storage-class';
export const defaultClass = 'storageclass.kubernetes.io/is-default-class';
export const betaDefaultClass = 'storageclass.beta.kubernetes.io/is-default-class';

/** Undefined if the object does not have it. */
export function annotationOf({ metadata }: Readonly<KubeObject>, name: string): string | undefined {
  const { annotations = {} } = metadata;
  return Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}

export function hasAnnotation(object: Readonly<KubeObject>, name: string): boolean {
  return annotationOf(object, name) !== undefined;
}
