import type { Kind, KubeObject, ObjectMeta } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { kinds, type PersistentVolume, type Pod, type PodVolume } from '../kinds.ts';

const claimFinalizer = 'kubernetes.io/pvc-protection';
const volumeFinalizer = 'kubernetes.io/pv-protection';
const attributesClassFinalizer = 'kubernetes.io/vac-protection';

export interface ClaimState {
  readonly claim: Readonly<KubeObject>;
  /** The pods that name the claim. */
  readonly pods: readonly Readonly<Pod>[];
}

/** A deleted claim keeps its finalizer while a pod uses it. */
export function decideClaim({ claim, pods }: ClaimState): Plan {
  return decideProtected(kinds.claim, claim, claimFinalizer, () => pods.some((pod) => uses(pod, claim)));
}

/** A deleted volume keeps its finalizer while a claim is bound to it. */
export function decideVolume(volume: Readonly<PersistentVolume>): Plan {
  return decideProtected(kinds.volume, volume, volumeFinalizer, () => volume.status?.phase === 'Bound');
}

export interface AttributesClassState {
  readonly attributesClass: Readonly<KubeObject>;
  /** Whether a claim or a volume has the class, or changes to it. */
  readonly isInUse: boolean;
}

/** A deleted class keeps its finalizer while a claim or a volume uses it. */
export function decideAttributesClass({ attributesClass, isInUse }: AttributesClassState): Plan {
  return decideProtected(kinds.volumeAttributesClass, attributesClass, attributesClassFinalizer, () => isInUse);
}

/** Names of the claims of a pod's volumes, including generated names of ephemeral volumes. */
export function claimNamesOf({ metadata, spec }: Readonly<Pod>): string[] {
  return (spec?.volumes ?? []).flatMap((volume) => claimNameOf(metadata, volume) ?? []);
}

function claimNameOf({ name = '' }: ObjectMeta, volume: PodVolume): string | undefined {
  if (volume.ephemeral !== undefined) return `${name}-${volume.name}`;
  return volume.persistentVolumeClaim?.claimName;
}

/** A pod without a node uses nothing. */
function uses(pod: Readonly<Pod>, claim: Readonly<KubeObject>): boolean {
  if (!pod.spec?.nodeName) return false;
  return (pod.spec.volumes ?? []).some((volume) => {
    if (claimNameOf(pod.metadata, volume) !== claim.metadata.name) return false;
    return volume.ephemeral === undefined || (!isShutDown(pod) && isMadeFor(pod, claim));
  });
}

function isShutDown({ metadata: { deletionTimestamp, deletionGracePeriodSeconds } }: Readonly<Pod>): boolean {
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0;
}

function isMadeFor({ metadata: { uid } }: Readonly<Pod>, { metadata }: Readonly<KubeObject>): boolean {
  return metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) ?? false;
}

/** Adds the finalizer to a live object, and removes it from a deleted one that is not in use. */
function decideProtected(kind: Kind, object: Readonly<KubeObject>, finalizer: string, isInUse: () => boolean): Plan {
  const { namespace, name = '', uid = '', resourceVersion = '', finalizers = [], deletionTimestamp } = object.metadata;
  const isProtected = finalizers.includes(finalizer);
  const isLeaving = deletionTimestamp !== undefined;
  if (isProtected ? !isLeaving || isInUse() : isLeaving) return nothingToDo;
  const after = isProtected ? finalizers.filter((other) => other !== finalizer) : [...finalizers, finalizer];
  const patch = { metadata: { uid, resourceVersion, finalizers: after } };
  return { steps: [[{ verb: 'patch', kind, key: { namespace, name }, patch }]] };
}
