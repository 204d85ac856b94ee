/** Bindings of a placement that point to the same cluster, where at most one may have works. */
import type { Binding } from '@flotilla/api';

export interface ClusterConflict {
  /** Whether it ends by itself, when a deletion is complete. */
  readonly endsByItself: boolean;
  readonly message: string;
}

/**
 * While an old binding of a cluster is being deleted, its works still exist and have the names of the new ones. So a new binding waits,
 * and the whole rollout with it. Two bindings that both stay are a mistake that no wait ends.
 */
export function findClusterConflict(bindings: readonly Readonly<Binding>[]): ClusterConflict | undefined {
  const staying = new Map<string, Readonly<Binding>>();
  const leaving = new Set<string>();
  for (const binding of bindings) {
    const { targetCluster } = binding.spec;
    if (binding.metadata.deletionTimestamp !== undefined) {
      leaving.add(targetCluster);
      continue;
    }
    const other = staying.get(targetCluster);
    if (other !== undefined) return { endsByItself: false, message: doubleMessage(targetCluster, other, binding) };
    staying.set(targetCluster, binding);
  }
  const awaited = [...staying.keys()].find((cluster) => leaving.has(cluster));
  if (awaited === undefined) return undefined;
  return { endsByItself: true, message: `a binding to the cluster ${awaited} is still being deleted` };
}

/** KubeFleet's sentence. */
function doubleMessage(cluster: string, one: Readonly<Binding>, other: Readonly<Binding>): string {
  return `the same cluster \`${cluster}\` has bindings \`${keyOf(one)}\` and \`${keyOf(other)}\` pointing to it`;
}

function keyOf({ metadata: { namespace = '', name = '' } }: Readonly<Binding>): string {
  return `${namespace}/${name}`;
}
