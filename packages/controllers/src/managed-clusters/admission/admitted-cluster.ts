/** What OCM's admission completes in a ManagedCluster: the times of its taints, and its cluster set. */
import {
  clusterSetLabel,
  defaultClusterSet,
  type ManagedCluster,
  type ManagedClusterSpec,
  type ManagedClusterTaint,
} from '@flotilla/api';
import { formatTime, isJsonObject, type KubeObject } from '@flotilla/kube';

/** The fields to replace, or why the request is refused. */
export type AdmittedCluster = { readonly change: Partial<KubeObject> } | { readonly refusal: string };

/** Runs before validation, so that the object may have any shape below its spec. */
export function admittedCluster(
  cluster: Readonly<KubeObject>,
  old: Readonly<ManagedCluster> | undefined,
  now: Date,
): AdmittedCluster {
  const { metadata } = cluster;
  const labels = metadata.labels?.[clusterSetLabel]
    ? metadata.labels
    : { ...metadata.labels, [clusterSetLabel]: defaultClusterSet };
  const timed = timedTaints(cluster['spec'], old && (old.spec?.taints ?? []), now);
  if (timed !== undefined && 'refusal' in timed) return timed;
  return { change: { metadata: { ...metadata, labels }, ...timed } };
}

/** Undefined if there are no taints. A cluster that is created has no old ones. */
function timedTaints(
  spec: unknown,
  old: readonly ManagedClusterTaint[] | undefined,
  now: Date,
): { readonly spec: KubeObject['spec'] } | { readonly refusal: string } | undefined {
  if (!isJsonObject(spec as KubeObject['spec'])) return undefined;
  const { taints } = spec as ManagedClusterSpec;
  if (!Array.isArray(taints) || !taints.every((taint) => isJsonObject(taint as KubeObject['spec']))) return undefined;
  const time = formatTime(now);
  const refused: string[] = [];
  const timed = taints.map((taint): ManagedClusterTaint => {
    if (old === undefined) return { ...taint, timeAdded: time };
    const same = old.find((one) => isSame(one, taint));
    if (same !== undefined ? !isSameTime(same.timeAdded, taint.timeAdded) : hasTime(taint)) refused.push(taint.key);
    return same ? taint : { ...taint, timeAdded: time };
  });
  if (refused.length > 0) return { refusal: `It is not allowed to set TimeAdded of Taint "${refused.join(',')}".` };
  return { spec: { ...(spec as ManagedClusterSpec), taints: timed } as unknown as KubeObject['spec'] };
}

function isSame(one: ManagedClusterTaint, other: ManagedClusterTaint): boolean {
  return one.key === other.key && (one.value ?? '') === (other.value ?? '') && one.effect === other.effect;
}

function hasTime({ timeAdded }: ManagedClusterTaint): boolean {
  return timeAdded !== undefined && timeAdded !== null;
}

/** Clients of other languages may print a time in another way. */
function isSameTime(one: ManagedClusterTaint['timeAdded'], other: ManagedClusterTaint['timeAdded']): boolean {
  return one === other || Date.parse(one ?? '') === Date.parse(other ?? '') || (!one && !other);
}
