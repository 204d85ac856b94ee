/** kube-scheduler's filters, in its order. The first that refuses a node says why. */
import type { Pod } from '../kinds.ts';
import type { Demand } from './demand.ts';
import { fitsNode } from './node-affinity.ts';
import type { LoadedNode } from './node-load.ts';
import type { AffinityCheck } from './pod-affinity.ts';
import type { PodVolumes } from './pod-volumes.ts';
import type { SpreadCheck, SpreadProblem } from './topology-spread.ts';
import { untoleratedTaint } from './taints.ts';

/** A pod that has no node yet. */
export interface PendingPod {
  readonly pod: Readonly<Pod>;
  readonly demand: Demand;
  readonly volumes?: PodVolumes | undefined;
}

/** A pod, and what the other pods of the cluster mean for it. */
export interface ConsideredPod extends PendingPod {
  readonly affinity: AffinityCheck | undefined;
  readonly spread: SpreadCheck | undefined;
}

export interface Refusal {
  readonly reasons: readonly string[];
  /** Whether the node would fit if other pods left it. */
  readonly isResolvable: boolean;
}

type Filter = (pending: ConsideredPod, candidate: LoadedNode) => Refusal | undefined;

const unschedulableTaint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const filters: readonly Filter[] = [
  ({ pod }, { node }) =>
    node.spec?.unschedulable === true &&
    untoleratedTaint([unschedulableTaint], pod.spec?.tolerations ?? [], ['NoSchedule'])
      ? never('node(s) were unschedulable')
      : undefined,
  ({ pod }, { node }) =>
    untoleratedTaint(node.spec?.taints ?? [], pod.spec?.tolerations ?? [], ['NoSchedule', 'NoExecute'])
      ? never('node(s) had untolerated taint(s)')
      : undefined,
  ({ pod }, { node }) =>
    fitsNode(pod.spec, node) ? undefined : never("node(s) didn't match Pod's node affinity/selector"),
  ({ demand }, { load }) =>
    load.hasFree(demand.hostPorts) ? undefined : later("node(s) didn't have free ports for the requested pod ports"),
  fitsResources,
  ({ volumes }, { node }) =>
    volumes === undefined || volumes.areUsableOn(node)
      ? undefined
      : never("node(s) didn't match PersistentVolume's node affinity"),
  ({ spread }, candidate) => spreadRefusal(spread?.problemOf(candidate)),
  ({ affinity }, candidate) => {
    if (affinity === undefined) return undefined;
    if (!affinity.isNearWanted(candidate)) return never("node(s) didn't match pod affinity rules");
    if (affinity.isNearAvoided(candidate)) return later("node(s) didn't match pod anti-affinity rules");
    return affinity.isForbidden(candidate)
      ? later("node(s) didn't satisfy existing pods anti-affinity rules")
      : undefined;
  },
];

function spreadRefusal(problem: SpreadProblem | undefined): Refusal | undefined {
  const reason = "node(s) didn't match pod topology spread constraints";
  if (problem === undefined) return undefined;
  return problem === 'too many' ? later(reason) : never(`${reason} (missing required label)`);
}

/** Why the pod cannot be on this node; undefined if it can. */
export function refusalOf(pending: ConsideredPod, candidate: LoadedNode): Refusal | undefined {
  for (const filter of filters) {
    const refusal = filter(pending, candidate);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function never(reason: string): Refusal {
  return { reasons: [reason], isResolvable: false };
}

function later(reason: string): Refusal {
  return { reasons: [reason], isResolvable: true };
}

function fitsResources({ demand }: PendingPod, { allocatable, load }: LoadedNode): Refusal | undefined {
  const reasons: string[] = [];
  let isResolvable = true;
  if (load.pods + 1 > (allocatable.get('pods') ?? 0)) reasons.push('Too many pods');
  for (const [resource, requested] of demand.requests) {
    if (requested <= 0 || resource === 'pods') continue;
    const capacity = allocatable.get(resource) ?? 0;
    if (requested <= capacity - load.requestedOf(resource)) continue;
    reasons.push(`Insufficient ${resource}`);
    if (requested > capacity) isResolvable = false;
  }
  return reasons.length === 0 ? undefined : { reasons, isResolvable };
}
