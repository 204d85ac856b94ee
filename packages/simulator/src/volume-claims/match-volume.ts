/** Which volume a claim gets. */
import { labelSelectorFrom, parseQuantity, Quantity } from '@flotilla/kube';
import type { PersistentVolume, VolumeClaim } from '../kinds.ts';
import { classNameOf } from './storage-class.ts';

/** Whether the volume is bound to the claim, or reserved for it. */
export function isReservedFor({ spec }: Readonly<PersistentVolume>, { metadata }: Readonly<VolumeClaim>): boolean {
  const { name, namespace, uid = '' } = spec?.claimRef ?? {};
  return name === metadata.name && namespace === metadata.namespace && (uid === '' || uid === metadata.uid);
}

/**
 * The volume that is reserved for the claim, or the smallest that fits; of all, those with the fewest access modes first. A claim that
 * waits for a consumer gets only what is reserved for it.
 */
export function findVolume(
  claim: Readonly<VolumeClaim>,
  volumes: readonly Readonly<PersistentVolume>[],
  waits: boolean,
): Readonly<PersistentVolume> | undefined {
  const byModes = new Map<string, Readonly<PersistentVolume>[]>();
  for (const volume of volumes.filter((one) => hasAccessModes(one, claim) && canHold(one, claim))) {
    const modes = [...new Set(volume.spec?.accessModes)].toSorted().join();
    byModes.set(modes, [...(byModes.get(modes) ?? []), volume]);
  }
  const inOrder = [...byModes].sort(([a], [b]) => a.split(',').length - b.split(',').length || (a < b ? -1 : 1));
  for (const [, alike] of inOrder) {
    const reserved = alike.find((volume) => isReservedFor(volume, claim));
    const found = reserved ?? (waits ? undefined : smallest(alike.filter((volume) => isFree(volume, claim))));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Why the claim cannot have the volume that it names; undefined if it can. */
export function mismatchOf(volume: Readonly<PersistentVolume>, claim: Readonly<VolumeClaim>): string | undefined {
  const { name, deletionTimestamp } = volume.metadata;
  if (deletionTimestamp !== undefined) return `the volume is marked for deletion "${name}"`;
  if (sizeOf(volume).compare(requestOf(claim)) < 0) return 'requested PV is too small';
  if (classNameOf(volume) !== classNameOf(claim)) return 'storageClassName does not match';
  if (!hasSameAttributes(volume, claim)) return 'volumeAttributesClassName does not match';
  if (!hasSameMode(volume, claim)) return 'incompatible volumeMode';
  return hasAccessModes(volume, claim) ? undefined : 'incompatible accessMode';
}

export function hasSameMode(volume: Readonly<PersistentVolume>, claim: Readonly<VolumeClaim>): boolean {
  return (volume.spec?.volumeMode ?? 'Filesystem') === (claim.spec?.volumeMode ?? 'Filesystem');
}

function canHold(volume: Readonly<PersistentVolume>, claim: Readonly<VolumeClaim>): boolean {
  const isLeaving = volume.metadata.deletionTimestamp !== undefined;
  const isLargeEnough = sizeOf(volume).compare(requestOf(claim)) >= 0;
  return !isLeaving && isLargeEnough && hasSameMode(volume, claim) && hasSameAttributes(volume, claim);
}

function isFree({ metadata, spec, status }: Readonly<PersistentVolume>, claim: Readonly<VolumeClaim>): boolean {
  const { selector } = claim.spec ?? {};
  const isSelected = selector === undefined || labelSelectorFrom(selector).matches(metadata.labels);
  return spec?.claimRef === undefined && status?.phase === 'Available' && isSelected;
}

function hasAccessModes({ spec }: Readonly<PersistentVolume>, claim: Readonly<VolumeClaim>): boolean {
  return (claim.spec?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode));
}

function hasSameAttributes(volume: Readonly<PersistentVolume>, claim: Readonly<VolumeClaim>): boolean {
  return (volume.spec?.volumeAttributesClassName ?? '') === (claim.spec?.volumeAttributesClassName ?? '');
}

function smallest(volumes: readonly Readonly<PersistentVolume>[]): Readonly<PersistentVolume> | undefined {
  return volumes.toSorted((a, b) => sizeOf(a).compare(sizeOf(b)))[0];
}

function sizeOf({ spec }: Readonly<PersistentVolume>): Quantity {
  return quantityOf(spec?.capacity?.['storage']);
}

function requestOf({ spec }: Readonly<VolumeClaim>): Quantity {
  return quantityOf(spec?.resources?.requests?.['storage']);
}

function quantityOf(text: string | undefined): Quantity {
  return text === undefined ? Quantity.zero : parseQuantity(text);
}
