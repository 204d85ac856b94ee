/** The PersistentVolumeClaims of a StatefulSet's pods. They outlive pods, unless the retention policy makes a pod or the set their owner. */
import {
  apiVersionOf,
  copyJson,
  type JsonObject,
  type Kind,
  type KubeObject,
  type ObjectMeta,
  type ObjectKey,
  type OwnerReference,
} from '@flotilla/kube';
import type { Cache } from '@flotilla/runtime';
import { kinds, type Pod, type StatefulSet, type VolumeClaim } from '../kinds.ts';
import { controllerReference } from '../ownership/controller-of.ts';
import { isInRange, parseNumberedName } from './identity.ts';

/** Users write claim templates: one may lack everything. */
export function templateName({ metadata }: { readonly metadata?: Readonly<ObjectMeta> | null }): string {
  return metadata?.name ?? '';
}

export function claimName(set: Readonly<StatefulSet>, template: Readonly<KubeObject>, ordinal: number): string {
  return `${templateName(template)}-${set.metadata.name}-${ordinal}`;
}

/** The claims of the pod with this ordinal. */
export function claimsFor(set: Readonly<StatefulSet>, ordinal: number): VolumeClaim[] {
  const { selector, volumeClaimTemplates = [], persistentVolumeClaimRetentionPolicy: policy } = set.spec ?? {};
  const selected = selector?.['matchLabels'] as Record<string, string> | undefined;
  const isOwned = policy?.whenDeleted === 'Delete';
  return volumeClaimTemplates.map((template) => ({
    ...(copyJson(template) as VolumeClaim),
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...(copyJson((template.metadata ?? {}) as JsonObject) as VolumeClaim['metadata']),
      name: claimName(set, template, ordinal),
      namespace: set.metadata.namespace ?? '',
      ...((template.metadata?.labels ?? selected) && { labels: { ...template.metadata?.labels, ...selected } }),
      ...(isOwned && { ownerReferences: [controllerReference(kinds.statefulSet, set)] }),
    },
  }));
}

/** The sets whose claim has this name: each part after a dash may be the name of a set. */
export function setsWithClaim({ metadata }: Readonly<KubeObject>, cache: Cache): ObjectKey[] {
  const { namespace, name = '' } = metadata;
  const parsed = parseNumberedName(name);
  if (parsed === undefined) return [];
  const keys: ObjectKey[] = [];
  for (let dash = parsed.stem.indexOf('-'); dash >= 0; dash = parsed.stem.indexOf('-', dash + 1)) {
    const key = { namespace, name: parsed.stem.slice(dash + 1) };
    const templates = cache.get(kinds.statefulSet, key)?.spec?.volumeClaimTemplates ?? [];
    if (templates.some((template) => templateName(template) === parsed.stem.slice(0, dash))) keys.push(key);
  }
  return keys;
}

/** Whether a pod with this name was the claim's owner: the garbage collector will delete the claim. */
export function isStale(claim: Readonly<VolumeClaim>, set: Readonly<StatefulSet>, podName: string): boolean {
  if (set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => refersTo(reference, kinds.pod, podName));
}

/** The owners that the claim must have by the retention policy; undefined if it has them. */
export function wantedOwners(
  claim: Readonly<VolumeClaim>,
  set: Readonly<StatefulSet>,
  pod: Readonly<Pod>,
  ordinal: number,
): OwnerReference[] | undefined {
  const { ownerReferences = [] } = claim.metadata;
  const owners = [
    { kind: kinds.statefulSet as Kind, object: set as Readonly<KubeObject> },
    { kind: kinds.pod as Kind, object: pod as Readonly<KubeObject> },
  ];
  const isOurs = (reference: OwnerReference): boolean =>
    owners.some(({ kind, object }) => refersTo(reference, kind, object.metadata.name ?? ''));
  const ours = ownerReferences.filter(({ uid }) => owners.some(({ object }) => object.metadata.uid === uid));
  const isLeftByPredecessor = ownerReferences.some((reference) => isOurs(reference) && !ours.includes(reference));
  if (isLeftByPredecessor) return undefined;

  const others = ownerReferences.filter((reference) => !isOurs(reference));
  if (hasOtherController(claim, set, pod)) return ours.length > 0 ? others : undefined;
  const wanted = owners.filter(({ kind }) => isOwner(kind, set, ordinal));
  const isUpToDate =
    ours.every(({ controller }) => controller === true) &&
    owners.every((owner) => ours.some(({ uid }) => uid === owner.object.metadata.uid) === wanted.includes(owner));
  if (isUpToDate) return undefined;
  return [...others, ...wanted.map(({ kind, object }) => controllerReference(kind, object))];
}

/** Whether another controller manages the claim, although the policy wants to. */
export function hasOtherController(
  { metadata }: Readonly<VolumeClaim>,
  set: Readonly<StatefulSet>,
  pod: Readonly<Pod>,
): boolean {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenDeleted !== 'Delete' && whenScaled !== 'Delete') return false;
  return (metadata.ownerReferences ?? []).some(
    (reference) =>
      reference.controller === true &&
      !refersTo(reference, kinds.statefulSet, set.metadata.name ?? '') &&
      !refersTo(reference, kinds.pod, pod.metadata.name ?? ''),
  );
}

/** The set owns what goes with it; a pod that is scaled away owns what goes with the pod. */
function isOwner(kind: Kind, set: Readonly<StatefulSet>, ordinal: number): boolean {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const goesWithPod = whenScaled === 'Delete' && !isInRange(ordinal, set);
  return kind.kind === 'Pod' ? goesWithPod : whenDeleted === 'Delete' && !goesWithPod;
}

function refersTo(reference: OwnerReference, kind: Kind, name: string): boolean {
  return reference.apiVersion === apiVersionOf(kind) && reference.kind === kind.kind && reference.name === name;
}
