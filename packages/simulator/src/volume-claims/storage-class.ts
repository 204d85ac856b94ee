import type { PersistentVolume, StorageClass, VolumeClaim } from '../kinds.ts';
import { annotationOf, betaDefaultClass, betaStorageClass, defaultClass } from './annotations.ts';

/** Empty if it has none, or wants none. */
export function classNameOf(object: Readonly<VolumeClaim> | Readonly<PersistentVolume>): string {
  return annotationOf(object, betaStorageClass) ?? object.spec?.storageClassName ?? '';
}

/** Whether the claim says which class it wants, if only that it wants none. */
export function hasClass(claim: Readonly<VolumeClaim>): boolean {
  return annotationOf(claim, betaStorageClass) !== undefined || claim.spec?.storageClassName !== undefined;
}

/** Of several, the newest. */
export function defaultClassOf(classes: readonly Readonly<StorageClass>[]): Readonly<StorageClass> | undefined {
  const isDefault = (one: Readonly<StorageClass>): boolean =>
    annotationOf(one, defaultClass) === 'true' || annotationOf(one, betaDefaultClass) === 'true';
  return classes.filter(isDefault).toSorted((a, b) => {
    const [created, other] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
    if (created !== other) return created > other ? -1 : 1;
    return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
  })[0];
}

export function waitsForConsumer(storageClass: Readonly<StorageClass> | undefined): boolean {
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
}
