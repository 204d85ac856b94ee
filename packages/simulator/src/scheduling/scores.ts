import type { Node } from '../kinds.ts';
import type { ConsideredPod, PendingPod } from './filters.ts';
import { matches } from './node-affinity.ts';
import type { LoadedNode } from './node-load.ts';
import { tolerates } from './taints.ts';

/** The best of the nodes that fit; of equal ones the first by name. */
export function bestOf(pending: ConsideredPod, fitting: readonly LoadedNode[]): LoadedNode | undefined {
  const [first] = fitting;
  if (fitting.length < 2) return first;
  const preferences = fitting.map(({ node }) => preferenceFor(pending, node));
  const taints = fitting.map((candidate) => avoidedTaints(pending, candidate));
  const near = normalised(fitting.map((candidate) => pending.affinity?.preferenceFor(candidate) ?? 0));
  const crowds = normalised(fitting.map((candidate) => -(pending.spread?.crowdAt(candidate) ?? 0)));
  const mostPreferred = Math.max(...preferences);
  const mostTaints = Math.max(...taints);
  const scores = fitting.map(
    (candidate, index) =>
      leastAllocated(pending, candidate) +
      balanced(pending, candidate) +
      200 * (near[index] ?? 0) +
      200 * (crowds[index] ?? 0) +
      (mostPreferred > 0 ? (200 * (preferences[index] ?? 0)) / mostPreferred : 0) +
      (mostTaints > 0 ? 300 * (1 - (taints[index] ?? 0) / mostTaints) : 0),
  );
  return fitting[scores.indexOf(Math.max(...scores))];
}

/** The least is 0 and the most is 1; all are 0 if they are equal. */
function normalised(values: readonly number[]): number[] {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  return values.map((value) => (range > 0 ? (value - least) / range : 0));
}

/** What kube-scheduler counts for a container that requests nothing, so that such pods spread too. */
const assumed = new Map([
  ['cpu', 100],
  ['memory', 200 * 2 ** 20],
]);

function shareOf({ demand }: PendingPod, { allocatable, load }: LoadedNode, resource: string): number {
  const capacity = allocatable.get(resource) ?? 0;
  if (capacity <= 0) return 1;
  const assumedHere = assumed.get(resource) ?? 0;
  const requested = Math.max(load.requestedOf(resource), load.pods * assumedHere);
  return Math.min(1, (requested + (demand.requests.get(resource) || assumedHere)) / capacity);
}

/** More for nodes with more left: `NodeResourcesFit`. */
function leastAllocated(pending: PendingPod, candidate: LoadedNode): number {
  const left = [...assumed.keys()].map((resource) => 100 * (1 - shareOf(pending, candidate, resource)));
  return left.reduce((sum, one) => sum + one, 0) / assumed.size;
}

/** More for nodes whose CPU and memory are used alike: `NodeResourcesBalancedAllocation`. */
function balanced(pending: PendingPod, candidate: LoadedNode): number {
  const [cpu = 0, memory = 0] = [...assumed.keys()].map((resource) => shareOf(pending, candidate, resource));
  return 100 * (1 - Math.abs(cpu - memory) / 2);
}

/** The weights of the preferred terms that select the node, added up. */
function preferenceFor({ pod }: PendingPod, node: Readonly<Node>): number {
  const preferred = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return preferred
    .filter(({ preference }) => preference !== undefined && matches(preference, node))
    .reduce((sum, { weight = 0 }) => sum + weight, 0);
}

/** Taints that ask pods to stay away if they can. */
function avoidedTaints({ pod }: PendingPod, { node }: LoadedNode): number {
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'PreferNoSchedule');
  return taints.filter((taint) => !(pod.spec?.tolerations ?? []).some((toleration) => tolerates(toleration, taint)))
    .length;
}
