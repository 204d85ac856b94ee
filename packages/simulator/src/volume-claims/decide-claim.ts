import { nothingToDo, type Plan, type PlannedEvent } from '@flotilla/runtime';
import { kinds, type PersistentVolume, type StorageClass, type VolumeClaim } from '../kinds.ts';
import {
  annotationOf,
  betaStorageProvisioner,
  bindCompleted,
  hasAnnotation,
  selectedNode,
  storageProvisioner,
} from './annotations.ts';
import { bindingSteps, claimStatusWrites, patch, versionOf } from './bind.ts';
import { findVolume, isReservedFor, mismatchOf } from './match-volume.ts';
import { classNameOf, hasClass, waitsForConsumer } from './storage-class.ts';

/** All that the decision about a claim needs. */
export interface ClaimState {
  readonly claim: Readonly<VolumeClaim>;
  /** The class that the claim wants. */
  readonly storageClass: Readonly<StorageClass> | undefined;
  readonly defaultClass: Readonly<StorageClass> | undefined;
  /** The volume that the claim names. */
  readonly volume: Readonly<PersistentVolume> | undefined;
  /** Volumes of its class without a claim, and those that are reserved for it. */
  readonly candidates: readonly Readonly<PersistentVolume>[];
  /** Names of pods that use the claim and have no node. */
  readonly waitingPods: readonly string[];
}

/** Provisioners of this domain are part of Kubernetes, and this simulation has none of them. */
const internalPrefix = 'kubernetes.io/';

/** Binds a claim to a volume, or asks a provisioner for one. */
export function decideClaim(state: ClaimState): Plan {
  const { claim } = state;
  if (hasAnnotation(claim, bindCompleted)) return decideBound(state);
  return (claim.spec?.volumeName ?? '') === '' ? decideUnbound(state) : decideNamed(state);
}

function decideUnbound(state: ClaimState): Plan {
  const { claim, storageClass, defaultClass, candidates } = state;
  const waits = waitsForConsumer(storageClass);
  const volume = findVolume(claim, candidates, waits);
  if (volume !== undefined) return { steps: bindingSteps(volume, claim) };
  if (!hasClass(claim) && defaultClass !== undefined) {
    const spec = { storageClassName: defaultClass.metadata.name ?? '' };
    return { steps: [[patch(kinds.volumeClaim, claim, { metadata: versionOf(claim), spec })]] };
  }
  if (waits && !hasAnnotation(claim, selectedNode)) return pending(claim, waitingEvent(state));
  if (classNameOf(claim) !== '') return requestVolume(state);
  const message = 'no persistent volumes available for this claim and no storage class is set';
  return pending(claim, eventOf(claim, 'Normal', 'FailedBinding', message));
}

/** The claim says which volume it wants. */
function decideNamed({ claim, volume }: ClaimState): Plan {
  if (volume === undefined) return pending(claim);
  const { name = '' } = volume.metadata;
  const { claimRef } = volume.spec ?? {};
  if (claimRef !== undefined && !isReservedFor(volume, claim)) {
    const message = `volume "${name}" already bound to a different claim.`;
    return pending(claim, eventOf(claim, 'Warning', 'FailedBinding', message));
  }
  const mismatch = claimRef === undefined ? mismatchOf(volume, claim) : undefined;
  if (mismatch === undefined) return { steps: bindingSteps(volume, claim) };
  const message = `Cannot bind to requested volume "${name}": ${mismatch}`;
  return pending(claim, eventOf(claim, 'Warning', 'VolumeMismatch', message));
}

function decideBound({ claim, volume }: ClaimState): Plan {
  if ((claim.spec?.volumeName ?? '') === '') {
    const message = 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!';
    return lost(claim, 'ClaimLost', message);
  }
  if (volume === undefined) {
    return lost(claim, 'ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  }
  const { claimRef } = volume.spec ?? {};
  if (claimRef === undefined || claimRef.uid === claim.metadata.uid) return { steps: bindingSteps(volume, claim) };
  return lost(claim, 'ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}

/** An annotation asks the provisioner to begin. */
function requestVolume({ claim, storageClass }: ClaimState): Plan {
  if (storageClass === undefined) {
    return failedProvisioning(claim, `storageclass.storage.k8s.io "${classNameOf(claim)}" not found`);
  }
  const { provisioner = '' } = storageClass;
  if (provisioner.startsWith(internalPrefix)) {
    return failedProvisioning(claim, `no volume plugin matched name: ${provisioner}`);
  }
  const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  const events = [eventOf(claim, 'Normal', 'ExternalProvisioning', message)];
  if (annotationOf(claim, storageProvisioner) === provisioner) return { steps: [], events };
  const annotations = { [betaStorageProvisioner]: provisioner, [storageProvisioner]: provisioner };
  const metadata = { ...versionOf(claim), annotations };
  return { steps: [[patch(kinds.volumeClaim, claim, { metadata })]], events };
}

function failedProvisioning(claim: Readonly<VolumeClaim>, message: string): Plan {
  return { steps: [], events: [eventOf(claim, 'Warning', 'ProvisioningFailed', message)] };
}

function waitingEvent({ claim, waitingPods: pods }: ClaimState): PlannedEvent {
  if (pods.length === 0) {
    const message = 'waiting for first consumer to be created before binding';
    return eventOf(claim, 'Normal', 'WaitForFirstConsumer', message);
  }
  const message = `waiting for ${pods.length > 1 ? 'pods' : 'pod'} ${pods.join(',')} to be scheduled`;
  return eventOf(claim, 'Normal', 'WaitForPodScheduled', message);
}

function pending(claim: Readonly<VolumeClaim>, event?: PlannedEvent): Plan {
  return { steps: [claimStatusWrites(claim, 'Pending', undefined)], ...(event && { events: [event] }) };
}

function lost(claim: Readonly<VolumeClaim>, reason: string, message: string): Plan {
  if (claim.status?.phase === 'Lost') return nothingToDo;
  const events = [eventOf(claim, 'Warning', reason, message)];
  return { steps: [claimStatusWrites(claim, 'Lost', undefined)], events };
}

function eventOf(
  about: Readonly<VolumeClaim>,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): PlannedEvent {
  return { about, type, reason, message };
}
