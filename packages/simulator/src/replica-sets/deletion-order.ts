import type { Pod } from '../kinds.ts';
import { conditionOf, isActive, isReady } from '../pods/pod-state.ts';

const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const phases = ['Pending', 'Unknown', 'Running'];

/** Sorts the pods so that those whose loss matters least come first: Kubernetes' order. */
export function inDeletionOrder(
  pods: readonly Readonly<Pod>[],
  related: readonly Readonly<Pod>[],
  now: Date,
): Readonly<Pod>[] {
  const onNode = new Map<string, number>();
  for (const pod of related) if (isActive(pod)) onNode.set(nodeOf(pod), (onNode.get(nodeOf(pod)) ?? 0) + 1);
  const rank = (pod: Readonly<Pod>): number[] => [
    nodeOf(pod) === '' ? 0 : 1,
    Math.max(0, phases.indexOf(pod.status?.phase ?? '')),
    isReady(pod) ? 1 : 0,
    deletionCost(pod),
    -(onNode.get(nodeOf(pod)) ?? 0),
    isReady(pod) ? magnitude(conditionOf(pod, 'Ready')?.lastTransitionTime, now) : 0,
    -restarts(pod),
    magnitude(pod.metadata.creationTimestamp, now),
  ];
  return pods
    .map((pod) => ({ pod, rank: rank(pod), uid: pod.metadata.uid ?? '' }))
    .sort((a, b) => compare(a.rank, b.rank) || (a.uid < b.uid ? -1 : 1))
    .map(({ pod }) => pod);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, i) => value !== b[i]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

function nodeOf({ spec }: Readonly<Pod>): string {
  return spec?.nodeName ?? '';
}

function deletionCost({ metadata }: Readonly<Pod>): number {
  const cost = Number(metadata.annotations?.[costAnnotation] ?? 0);
  return Number.isInteger(cost) ? cost : 0;
}

function restarts({ status }: Readonly<Pod>): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount));
}

/** The order of magnitude of an age: of pods that differ less, any may go. */
function magnitude(time: string | null | undefined, now: Date): number {
  const age = (now.getTime() - Date.parse(time ?? '')) * 1e6;
  return age > 0 ? Math.trunc(Math.log2(age)) : -1;
}
