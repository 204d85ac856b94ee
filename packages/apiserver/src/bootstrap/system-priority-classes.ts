import type { FirstObject } from '../own-requests/ensure-object.ts';

/** Pods that a cluster cannot do without name these. */
export const systemPriorityClasses: readonly FirstObject[] = [
  priorityClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
];

function priorityClass(name: string, value: number, description: string): FirstObject {
  return {
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: { kind: 'PriorityClass', apiVersion: 'scheduling.k8s.io/v1', metadata: { name }, value, description },
  };
}
