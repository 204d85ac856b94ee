/** A kubelet refuses pods that do not fit its node. kube-scheduler sends none, but users may name the node themselves. */
import type { Node, Pod } from '../kinds.ts';
import { conditionOf, isFinished } from '../pods/pod-state.ts';
import { demandOf, type Demand } from '../scheduling/demand.ts';
import { fitsNode } from '../scheduling/node-affinity.ts';
import { loadedNode, NodeLoad, type LoadedNode } from '../scheduling/node-load.ts';

export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/** Whether the pod is new to its kubelet, and no scheduler chose its node. */
export function needsAdmission(pod: Readonly<Pod>): boolean {
  const isNew = pod.status?.startTime === undefined && !isFinished(pod);
  return isNew && conditionOf(pod, 'PodScheduled') === undefined && pod.metadata.deletionTimestamp === undefined;
}

/** Why the pod cannot be beside the others; undefined if it can. */
export function rejectionOf(
  pod: Readonly<Pod>,
  node: Readonly<Node>,
  pods: readonly Readonly<Pod>[],
): Rejection | undefined {
  const load = new NodeLoad();
  const admitted = pods.filter((other) => other.status?.startTime !== undefined && !isFinished(other));
  for (const other of admitted) if (other.metadata.uid !== pod.metadata.uid) load.add(demandOf(other));
  const demand = demandOf(pod);
  return (
    missingResource(demand, loadedNode(node, load)) ??
    (fitsNode(pod.spec, node)
      ? undefined
      : predicate('NodeAffinity', "node(s) didn't match Pod's node affinity/selector")) ??
    (load.hasFree(demand.hostPorts)
      ? undefined
      : predicate('NodePorts', "node(s) didn't have free ports for the requested pod ports"))
  );
}

function predicate(reason: string, problem: string): Rejection {
  return { reason, message: `Predicate ${reason} failed: ${problem}` };
}

/** Resources that the node does not know may be the cluster's. */
function missingResource({ requests }: Demand, { allocatable, load }: LoadedNode): Rejection | undefined {
  const wanted: (readonly [string, number, number])[] = [
    ['pods', 1, load.pods],
    ...Array.from(requests, ([resource, amount]) => [resource, amount, load.requestedOf(resource)] as const),
  ];
  const missing = wanted.find(
    ([resource, amount, used]) => amount > 0 && amount > (allocatable.get(resource) ?? Infinity) - used,
  );
  if (missing === undefined) return undefined;
  const [resource, amount, used] = missing;
  const numbers = `requested: ${amount}, used: ${used}, capacity: ${allocatable.get(resource) ?? 0}`;
  return { reason: `OutOf${resource}`, message: `Node didn't have enough resource: ${resource}, ${numbers}` };
}
