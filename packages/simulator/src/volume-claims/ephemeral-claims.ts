/** Creates the claims of a pod's ephemeral volumes. They belong to the pod, so that they go with it. */
import type { KubeObject } from '@flotilla/kube';
import { itself, nothingToDo, type Controller, type Plan, type PlannedEvent, type Write } from '@flotilla/runtime';
import { kinds, type Pod, type Volume, type VolumeClaim } from '../kinds.ts';
import { controllerReference, isControlledBy } from '../ownership/controller-of.ts';
import { claimNameOf } from './pod-claims.ts';

export interface EphemeralVolumes {
  readonly pod: Readonly<Pod>;
  readonly volumes: readonly EphemeralVolume[];
}

interface EphemeralVolume {
  readonly volume: Volume;
  readonly claimName: string;
  /** Undefined if it must be created. */
  readonly claim: Readonly<VolumeClaim> | undefined;
}

export const ephemeralClaimController: Controller<EphemeralVolumes> = {
  name: 'ephemeral-volume-controller',
  fieldManager: 'kube-controller-manager',
  eventSource: 'ephemeral_volume',
  wakes: hasEphemeralVolumes,
  watches: [
    { kind: kinds.pod, concerns: (now) => (now && hasEphemeralVolumes(now) ? itself(now, undefined) : []) },
    { kind: kinds.volumeClaim, concerns: (now, old) => (now === undefined ? podOf(old) : []) },
  ],
  observe: (key, cache) => {
    const pod = cache.get(kinds.pod, key);
    const volumes = ephemeralVolumesOf(pod).map((volume) => {
      const claimName = claimNameOf(key.name, volume) ?? '';
      const claim = cache.get(kinds.volumeClaim, { namespace: key.namespace, name: claimName });
      return { volume, claimName, claim };
    });
    return pod && { pod, volumes };
  },
  decide: decideEphemeralClaims,
};

function ephemeralVolumesOf(pod: Readonly<Pod> | undefined): Volume[] {
  return (pod?.spec?.volumes ?? []).filter(({ ephemeral }) => ephemeral !== undefined);
}

function hasEphemeralVolumes(pod: Readonly<KubeObject>): boolean {
  return ephemeralVolumesOf(pod).length > 0;
}

/** A claim that a user deleted is created again. */
function podOf(claim: KubeObject | undefined): ReturnType<typeof itself> {
  const { namespace, ownerReferences = [] } = claim?.metadata ?? {};
  return ownerReferences.filter(({ kind }) => kind === 'Pod').map(({ name }) => ({ namespace, name }));
}

export function decideEphemeralClaims({ pod, volumes }: EphemeralVolumes): Plan {
  if (pod.metadata.deletionTimestamp !== undefined) return nothingToDo;
  const events: PlannedEvent[] = [];
  const writes: Write[] = [];
  for (const { volume, claimName, claim } of volumes) {
    if (claim === undefined) writes.push(creation(pod, volume, claimName));
    else if (!isControlledBy(claim, pod)) events.push(foreignClaim(pod, volume, claimName));
  }
  return { steps: [writes], events };
}

function creation(pod: Readonly<Pod>, { ephemeral }: Volume, name: string): Write {
  const { metadata = {}, spec = {} } = ephemeral?.volumeClaimTemplate ?? {};
  const { labels, annotations } = metadata;
  const object = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: pod.metadata.namespace,
      ownerReferences: [controllerReference(kinds.pod, pod)],
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    },
    spec,
  };
  return { verb: 'create', kind: kinds.volumeClaim, object: object as KubeObject };
}

function foreignClaim(pod: Readonly<Pod>, volume: Volume, claimName: string): PlannedEvent {
  const { namespace = '', name = '' } = pod.metadata;
  const problem = `PVC ${namespace}/${claimName} was not created for pod ${namespace}/${name} (pod is not owner)`;
  const message = `ephemeral volume ${volume.name}: ${problem}`;
  return { about: pod, type: 'Warning', reason: 'FailedBinding', message };
}
