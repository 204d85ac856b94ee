import { forbidden, notSupported, type FieldError, type KubeObject, type ObjectMeta } from '@flotilla/kube';

export const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** In the order of the cells. */
const shortModes = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP' };
const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const volumeModes = ['Block', 'Filesystem'];

export function checkAccessModes(errors: FieldError[], path: string, modes: readonly string[]): void {
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(path, mode, accessModes));
  const known = modes.filter((mode) => accessModes.includes(mode));
  const isAlone = known.every((mode) => mode === 'ReadWriteOncePod');
  if (known.includes('ReadWriteOncePod') && !isAlone) {
    errors.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
}

export function checkVolumeMode(errors: FieldError[], path: string, mode: string): void {
  if (!volumeModes.includes(mode)) errors.push(notSupported(path, mode, volumeModes));
}

export function accessModesText(modes: readonly string[] = []): string {
  return Object.entries(shortModes)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** The class of the legacy annotation wins. */
export function storageClassOf({ annotations = {} }: ObjectMeta, field: string | undefined): string {
  return annotations[classAnnotation] ?? field ?? '';
}

export const classAnnotationWarning = `metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`;

/** Adds the finalizer that keeps volumes and claims while they are in use. */
export function addProtection({ metadata }: KubeObject, finalizer: string): void {
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}
