import type { Pod } from '../kinds.ts';
import { refusalOf, type PendingPod, type Refusal } from './filters.ts';
import { NodeLoad, type LoadedNode } from './node-load.ts';
import { AffinityCheck, repels, type Repelling } from './pod-affinity.ts';
import { PodGroups } from './pod-groups.ts';
import { bestOf } from './scores.ts';
import { SpreadCheck } from './topology-spread.ts';

export type Placement =
  | { readonly pending: PendingPod; readonly node: string }
  /** `message` says why no node fits. */
  | { readonly pending: PendingPod; readonly message: string };

/** The cluster as a turn of the scheduler finds it. */
export interface Cluster {
  readonly nodes: readonly LoadedNode[];
  readonly podsOn: (node: string) => readonly Readonly<Pod>[];
  /** The pods on nodes that keep others away. */
  readonly repelling: readonly Repelling[];
}

/** Places one pod after another; each counts for those after it. */
export function placePods(pods: readonly PendingPod[], { nodes, podsOn, repelling }: Cluster): Placement[] {
  const candidates = nodes.map((node) => ({ ...node, load: new NodeLoad(node.load) }));
  const groups = new PodGroups(candidates, podsOn);
  const allRepelling = [...repelling];
  return pods.map((pending) => {
    const problem = pending.volumes?.problem;
    if (problem !== undefined)
      return {
        pending,
        message: failureMessage(
          candidates.map(() => unhelpful),
          problem,
        ),
      };
    const { affinity: rules, topologySpreadConstraints: constraints } = pending.pod.spec ?? {};
    const hasAffinity = rules?.podAffinity ?? rules?.podAntiAffinity ?? allRepelling[0];
    const considered = {
      ...pending,
      affinity: hasAffinity && new AffinityCheck(pending.pod, groups, allRepelling, candidates),
      spread: constraints && new SpreadCheck(pending.pod, groups, candidates),
    };
    const refusals = candidates.map((candidate) => refusalOf(considered, candidate));
    const fitting = candidates.filter((_, index) => refusals[index] === undefined);
    const best = bestOf(considered, fitting);
    if (best === undefined) return { pending, message: failureMessage(refusals.flatMap((one) => one ?? [])) };
    best.load.add(pending.demand);
    groups.add(pending.pod, best);
    if (repels(pending.pod)) allRepelling.push({ pod: pending.pod, node: best.name });
    return { pending, node: best.name };
  });
}

/** A node that no preemption would free. */
const unhelpful: Refusal = { reasons: [], isResolvable: false };

/**
 * kube-scheduler's sentence. It names preemption, which is not simulated: no pod makes room for another. `problem` is one of the pod
 * itself, whatever the node.
 */
function failureMessage(refusals: readonly Refusal[], problem?: string): string {
  if (refusals.length === 0) return 'no nodes available to schedule pods';
  const available = `0/${refusals.length} nodes are available:`;
  const preemption = refusals.map(({ isResolvable }) =>
    isResolvable ? 'No preemption victims found for incoming pod' : 'Preemption is not helpful for scheduling',
  );
  const reasons = problem ?? counted(refusals.flatMap((refusal) => refusal.reasons));
  return `${available} ${reasons}. preemption: ${available} ${counted(preemption)}.`;
}

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
