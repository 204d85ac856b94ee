import type { Kind, KubeObject, ObjectMeta } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { kinds, type PersistentVolume, type Pod, type PodVolume } from '../kinds.ts';

const claimFinalizer = 'kubernetes.io/pvc-protection';
const volumeFinalizer = 'kubernetes.io/pv-protection';

export interface ClaimState {
  readonly claim: Readonly<KubeObject>;
  /** Those that name it. */
  readonly pods: readonly Readonly<Pod>[];
}

/** A claim that is deleted stays while a pod uses it. */
export function decideClaim({ claim, pods }: ClaimState): Plan {
  return decideProtected(kinds.claim, claim, claimFinalizer, () => pods.some((pod) => uses(pod, claim)));
}

/** A volume that is deleted stays while a claim is bound to it. */
export function decideVolume(volume: Readonly<PersistentVolume>): Plan {
  return decideProtected(kinds.volume, volume, volumeFinalizer, () => volume.status?.phase === 'Bound');
}

/** Names of the claims that a pod's volumes are, or would be, taken from. */
export function claimNamesOf({ metadata, spec }: Readonly<Pod>): string[] {
  return (spec?.volumes ?? []).flatMap((volume) => claimNameOf(metadata, volume) ?? []);
}

function claimNameOf({ name = '' }: ObjectMeta, volume: PodVolume): string | undefined {
  if (volume.ephemeral !== undefined) return `${name}-${volume.name}`;
  return volume.persistentVolumeClaim?.claimName;
}

/** Only a pod that has a node can hold on to anything. */
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

/** Who is not protected yet becomes so; who leaves is held as long as it is in use. */
function decideProtected(kind: Kind, object: Readonly<KubeObject>, finalizer: string, isInUse: () => boolean): Plan {
  const { namespace, name = '', uid = '', resourceVersion = '', finalizers = [], deletionTimestamp } = object.metadata;
  const isProtected = finalizers.includes(finalizer);
  const isLeaving = deletionTimestamp !== undefined;
  if (isProtected ? !isLeaving || isInUse() : isLeaving) return nothingToDo;
  const after = isProtected ? finalizers.filter((other) => other !== finalizer) : [...finalizers, finalizer];
  const patch = { metadata: { uid, resourceVersion, finalizers: after } };
  return { steps: [[{ verb: 'patch', kind, key: { namespace, name }, patch }]] };
}
