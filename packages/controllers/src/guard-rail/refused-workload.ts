/** Workloads that would run on the hub. Each function returns the sentence that refuses one, which is KubeFleet's. */
import type { ObjectKey } from '@flotilla/kube';

export function refusedPod({ namespace, name }: ObjectKey): string {
  return `Pod ${namespace}/${name} creation is disallowed in the fleet hub cluster`;
}

export function refusedReplicaSet({ namespace, name }: ObjectKey): string {
  return `ReplicaSet ${namespace}/${name} creation is disallowed in the fleet hub cluster.`;
}

/** A budget limits evictions of pods on the hub as well, where no pods run. */
export function refusedPodBudget({ namespace, name }: ObjectKey): string {
  return `PDBs ${namespace}/${name} cannot be directly created in the hub cluster due to potential side effects; to place a PDB to member clusters, consider wrapping it in a resource envelope.`;
}
