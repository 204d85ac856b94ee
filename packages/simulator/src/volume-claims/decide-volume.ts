import { nothingToDo, type Plan, type PlannedEvent, type Write } from '@flotilla/runtime';
import { kinds, type PersistentVolume, type VolumeClaim } from '../kinds.ts';
import { boundByController, hasAnnotation, provisionedBy } from './annotations.ts';
import { patch, phaseWrites, versionOf } from './bind.ts';
import { hasSameMode } from './match-volume.ts';

export interface VolumeState {
  readonly volume: Readonly<PersistentVolume>;
  /** The claim that the volume refers to, if it is still the same. */
  readonly claim: Readonly<VolumeClaim> | undefined;
  /** Whether a provisioner deletes the volume when its claim is gone. */
  readonly hasProvisioner: boolean;
}

/** Follows the claim of a volume: bound, released, free again. The controller of claims binds. */
export function decideVolume(state: VolumeState): Plan {
  const { volume, claim } = state;
  const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
  if ((claimRef?.uid ?? '') === '') return { steps: [phaseWrites(volume, 'Available')] };
  if (claim === undefined) return reclaim(state);
  const { volumeName = '' } = claim.spec ?? {};
  if (volumeName === volume.metadata.name) return { steps: [phaseWrites(volume, 'Bound')] };
  if (volumeName === '') return hasSameMode(volume, claim) ? nothingToDo : mismatch(volume, claim);
  return hasAnnotation(volume, provisionedBy) && policy === 'Delete' ? reclaim(state) : { steps: unbinding(volume) };
}

function mismatch(volume: Readonly<PersistentVolume>, claim: Readonly<VolumeClaim>): Plan {
  const why = 'due to incompatible volumeMode.';
  const forVolume = `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claim.metadata.name}" ${why}`;
  const forClaim = `Cannot bind PersistentVolume "${volume.metadata.name}" to requested PersistentVolumeClaim ${why}`;
  return { steps: [], events: [mismatchEvent(volume, forVolume), mismatchEvent(claim, forClaim)] };
}

function mismatchEvent(about: PlannedEvent['about'], message: string): PlannedEvent {
  return { about, type: 'Warning', reason: 'VolumeMismatch', message };
}

/** What becomes of a volume without its claim. */
function reclaim({ volume, hasProvisioner }: VolumeState): Plan {
  const release = volume.status?.phase === 'Failed' ? [] : phaseWrites(volume, 'Released');
  const { persistentVolumeReclaimPolicy: policy, csi } = volume.spec ?? {};
  if (policy === 'Recycle') {
    const message = 'Volume recycled';
    return { steps: unbinding(volume), events: [{ about: volume, type: 'Normal', reason: 'VolumeRecycled', message }] };
  }
  if (policy !== 'Delete') return { steps: [release] };
  if (!hasAnnotation(volume, provisionedBy) && csi === undefined) return deleteDirectory(volume, release);
  return { steps: hasProvisioner ? [release, deletions(volume)] : [release] };
}

/** Kubernetes itself deletes only directories below `/tmp`. */
function deleteDirectory(volume: Readonly<PersistentVolume>, release: Write[]): Plan {
  const path = volume.spec?.hostPath?.path;
  if (path !== undefined && path.includes('/tmp/') && !path.endsWith('/tmp/')) {
    return { steps: [release, deletions(volume)] };
  }
  if (volume.status?.phase === 'Failed') return nothingToDo;
  const message =
    path === undefined
      ? `error getting deleter volume plugin for volume "${volume.metadata.name}": no deletable volume plugin matched`
      : `host_path deleter only supports /tmp/.+ but received provided ${path}`;
  return {
    steps: [phaseWrites(volume, 'Failed', { message })],
    events: [{ about: volume, type: 'Warning', reason: 'VolumeFailedDelete', message }],
  };
}

function deletions({ metadata }: Readonly<PersistentVolume>): Write[] {
  const { name = '', uid = '', deletionTimestamp } = metadata;
  return deletionTimestamp === undefined ? [{ verb: 'delete', kind: kinds.volume, key: { name }, uid }] : [];
}

/** A volume that a user reserved stays reserved. */
function unbinding(volume: Readonly<PersistentVolume>): Write[][] {
  const changes = hasAnnotation(volume, boundByController)
    ? { metadata: { ...versionOf(volume), annotations: { [boundByController]: null } }, spec: { claimRef: null } }
    : { metadata: versionOf(volume), spec: { claimRef: { uid: null } } };
  return [[patch(kinds.volume, volume, changes)], phaseWrites(volume, 'Available', { isChanged: true })];
}
