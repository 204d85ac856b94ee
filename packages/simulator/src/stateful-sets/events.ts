/** The events of Kubernetes' StatefulSet controller. */
import type { KubeObject } from '@flotilla/kube';
import type { PlannedEvent } from '@flotilla/runtime';
import type { StatefulSet } from '../kinds.ts';

export type Verb = 'Create' | 'Update' | 'Delete';

/** `what` is a pod: `Pod web-0`. */
export function succeeded(set: Readonly<StatefulSet>, verb: Verb, what: string): PlannedEvent {
  const message = `${verb} ${what} in StatefulSet ${set.metadata.name} successful`;
  return { about: set, type: 'Normal', reason: `Successful${verb}`, message };
}

export function claimCreated(set: Readonly<StatefulSet>, claim: string, pod: string): PlannedEvent {
  const message = `Create Claim ${claim} Pod ${pod} in StatefulSet ${set.metadata.name} success`;
  return { about: set, type: 'Normal', reason: 'SuccessfulCreate', message };
}

export function failed(set: Readonly<StatefulSet>, verb: Verb, what: string, error: string): PlannedEvent {
  const message = `${verb} ${what} in StatefulSet ${set.metadata.name} failed error: ${error}`;
  return { about: set, type: 'Warning', reason: `Failed${verb}`, message };
}

export function conflictingController(set: Readonly<StatefulSet>, { metadata }: Readonly<KubeObject>): PlannedEvent {
  const message = `PersistentVolumeClaim ${metadata.name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
  return { about: set, type: 'Warning', reason: 'ConflictingController', message };
}
