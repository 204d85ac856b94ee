/** Binds a volume and a claim to each other: first the volume, so that no other claim gets it. */
import { jsonEquals, type JsonObject } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { kinds, type ObjectReference, type PersistentVolume, type VolumeClaim } from '../kinds.ts';
import { bindCompleted, boundByController, hasAnnotation } from './annotations.ts';
import { isReservedFor } from './match-volume.ts';

/** Writes what is missing, one after the other. */
export function bindingSteps(volume: Readonly<PersistentVolume>, claim: Readonly<VolumeClaim>): Write[][] {
  return [
    reservation(volume, claim),
    phaseWrites(volume, 'Bound', { isChanged: true }),
    claimWrites(volume, claim),
    claimStatusWrites(claim, 'Bound', volume),
  ];
}

function reservation(volume: Readonly<PersistentVolume>, claim: Readonly<VolumeClaim>): Write[] {
  const isReserved = isReservedFor(volume, claim);
  const isMarked = isReserved || hasAnnotation(volume, boundByController);
  const isBound = isReserved && volume.spec?.claimRef?.uid === claim.metadata.uid;
  if (isBound) return [];
  const annotations = { [boundByController]: 'yes' };
  const metadata = { ...versionOf(volume), ...(!isMarked && { annotations }) };
  return [patch(kinds.volume, volume, { metadata, spec: { claimRef: referenceTo(claim) } })];
}

export function referenceTo({ metadata }: Readonly<VolumeClaim>): ObjectReference {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion };
}

function claimWrites(volume: Readonly<PersistentVolume>, claim: Readonly<VolumeClaim>): Write[] {
  const { name = '' } = volume.metadata;
  const isNamed = claim.spec?.volumeName === name;
  if (isNamed && hasAnnotation(claim, bindCompleted)) return [];
  const annotations = { [bindCompleted]: 'yes', ...(!isNamed && { [boundByController]: 'yes' }) };
  const metadata = { ...versionOf(claim), annotations };
  return [patch(kinds.volumeClaim, claim, { metadata, ...(!isNamed && { spec: { volumeName: name } }) })];
}

/** Without a volume, the claim has neither access modes nor a capacity. */
export function claimStatusWrites(
  claim: Readonly<VolumeClaim>,
  phase: string,
  volume: Readonly<PersistentVolume> | undefined,
): Write[] {
  const before: JsonObject = claim.status ?? {};
  const status = { phase, ...(volume === undefined ? withoutVolume : statusFrom(volume, claim.status, phase)) };
  if (Object.entries(status).every(([key, value]) => jsonEquals(before[key] ?? null, value))) return [];
  const { uid = '' } = claim.metadata;
  return [{ ...patch(kinds.volumeClaim, claim, { metadata: { uid }, status }), subresource: 'status' }];
}

const withoutVolume = { accessModes: null, capacity: null, currentVolumeAttributesClassName: null };

/** A bound claim keeps its capacity: its file system may be smaller than the volume. */
function statusFrom({ spec }: Readonly<PersistentVolume>, before: VolumeClaim['status'], phase: string): JsonObject {
  const { accessModes = null, capacity = null, volumeAttributesClassName } = spec ?? {};
  if (before?.phase === phase) return { accessModes };
  return { accessModes, capacity, currentVolumeAttributesClassName: volumeAttributesClassName ?? null };
}

export interface PhaseOptions {
  readonly message?: string;
  /** Whether the same plan has changed the volume before, so that its version is not known. */
  readonly isChanged?: boolean;
}

export function phaseWrites(
  volume: Readonly<PersistentVolume>,
  phase: string,
  { message, isChanged = false }: PhaseOptions = {},
): Write[] {
  if (volume.status?.phase === phase) return [];
  const { uid = '' } = volume.metadata;
  const metadata = isChanged ? { uid } : versionOf(volume);
  const status = { phase, message: message ?? null };
  return [{ ...patch(kinds.volume, volume, { metadata, status }), subresource: 'status' }];
}

export function versionOf({ metadata }: Readonly<PersistentVolume> | Readonly<VolumeClaim>): JsonObject {
  const { uid = '', resourceVersion = '' } = metadata;
  return { uid, resourceVersion };
}

export function patch(
  kind: typeof kinds.volume | typeof kinds.volumeClaim,
  { metadata }: Readonly<PersistentVolume> | Readonly<VolumeClaim>,
  changes: JsonObject,
): Write & { readonly verb: 'patch' } {
  const { namespace, name = '' } = metadata;
  return { verb: 'patch', kind, key: { namespace, name }, patch: changes };
}
