/** What the claims of a pod mean for its place: kube-scheduler's `VolumeBinding`. */
import type { Cache } from '@flotilla/runtime';
import { kinds, type Node, type PersistentVolume, type Pod, type VolumeClaim } from '../kinds.ts';
import { hasAnnotation, selectedNode } from '../volume-claims/annotations.ts';
import { claimNameOf, claimNamesOf } from '../volume-claims/pod-claims.ts';
import { classNameOf, waitsForConsumer } from '../volume-claims/storage-class.ts';
import { matches } from './node-affinity.ts';

export interface PodVolumes {
  /** Why the pod cannot have a node now; undefined if it can. */
  readonly problem?: string;
  /** Claims whose volume is made on the node that the pod gets: the pod waits until they have one. */
  readonly unbound: readonly Readonly<VolumeClaim>[];
  /** Whether the volumes can be used on the node. */
  readonly areUsableOn: (node: Readonly<Node>) => boolean;
}

/** Undefined if the pod has no claims. */
export function volumesOf(pod: Readonly<Pod>, cache: Cache): PodVolumes | undefined {
  const { namespace } = pod.metadata;
  const names = claimNamesOf(pod);
  if (names.length === 0) return undefined;
  const claims = names.map((name) => cache.get(kinds.volumeClaim, { namespace, name }));
  const missing = names[claims.indexOf(undefined)];
  if (missing !== undefined) return blocked(missingClaim(pod, missing));
  const known = claims.filter((claim) => claim !== undefined);
  const problem = known.map(problemOf).find((one) => one !== undefined);
  if (problem !== undefined) return blocked(problem);
  const unbound = known.filter(({ status }) => status?.phase !== 'Bound');
  const isImmediate = (claim: Readonly<VolumeClaim>): boolean =>
    !waitsForConsumer(cache.get(kinds.storageClass, { name: classNameOf(claim) }));
  if (unbound.some(isImmediate)) return blocked('pod has unbound immediate PersistentVolumeClaims');
  const volumes = known.flatMap(
    ({ spec: wanted }) => cache.get(kinds.volume, { name: wanted?.volumeName ?? '' }) ?? [],
  );
  return { unbound, areUsableOn: (node) => volumes.every((volume) => isUsableOn(volume, node)) };
}

function missingClaim({ metadata: { name = '' }, spec }: Readonly<Pod>, claim: string): string {
  const volume = spec?.volumes?.find((one) => claimNameOf(name, one) === claim);
  return volume?.ephemeral === undefined
    ? `persistentvolumeclaim "${claim}" not found`
    : `waiting for ephemeral volume controller to create the persistentvolumeclaim "${claim}"`;
}

function blocked(problem: string): PodVolumes {
  return { problem, unbound: [], areUsableOn: () => true };
}

function problemOf({ metadata, spec, status }: Readonly<VolumeClaim>): string | undefined {
  if (status?.phase === 'Lost') {
    return `persistentvolumeclaim "${metadata.name}" bound to non-existent persistentvolume "${spec?.volumeName ?? ''}"`;
  }
  return metadata.deletionTimestamp === undefined
    ? undefined
    : `persistentvolumeclaim "${metadata.name}" is being deleted`;
}

function isUsableOn({ spec }: Readonly<PersistentVolume>, node: Readonly<Node>): boolean {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms;
  return terms === undefined || terms.some((term) => matches(term, node));
}

/** Whether all claims know their node, and only wait for their volumes. */
export function areSelected(claims: readonly Readonly<VolumeClaim>[]): boolean {
  return claims.every((claim) => hasAnnotation(claim, selectedNode));
}
