import type { PendingPod, Refusal } from './filters.ts';
import { refusalOf } from './filters.ts';
import { NodeLoad, type LoadedNode } from './node-load.ts';
import { bestOf } from './scores.ts';

export type Placement =
  | { readonly pending: PendingPod; readonly node: string }
  /** `message` says why no node fits. */
  | { readonly pending: PendingPod; readonly message: string };

/** Places one pod after another; each counts for those after it. */
export function placePods(pods: readonly PendingPod[], nodes: readonly LoadedNode[]): Placement[] {
  const candidates = nodes.map((node) => ({ ...node, load: new NodeLoad(node.load) }));
  return pods.map((pending) => {
    const refusals = candidates.map((candidate) => refusalOf(pending, candidate));
    const fitting = candidates.filter((_, index) => refusals[index] === undefined);
    const best = bestOf(pending, fitting);
    if (best === undefined) return { pending, message: failureMessage(refusals.flatMap((one) => one ?? [])) };
    best.load.add(pending.demand);
    return { pending, node: best.name };
  });
}

/** kube-scheduler's sentence. It names preemption, which is not simulated: no pod makes room for another. */
function failureMessage(refusals: readonly Refusal[]): string {
  if (refusals.length === 0) return 'no nodes available to schedule pods';
  const available = `0/${refusals.length} nodes are available:`;
  const preemption = refusals.map(({ isResolvable }) =>
    isResolvable ? 'No preemption victims found for incoming pod' : 'Preemption is not helpful for scheduling',
  );
  const reasons = counted(refusals.flatMap((refusal) => refusal.reasons));
  return `${available} ${reasons}. preemption: ${available} ${counted(preemption)}.`;
}

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
