import type { ContainerStatus, Pod } from '../kinds.ts';
import { conditionOf, isActive, isReady } from './pod-state.ts';

const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const phases = ['Pending', 'Unknown', 'Running'];

/** What the order depends on. */
interface Ranked {
  readonly pod: Readonly<Pod>;
  /** The pod with the smaller number goes first; later numbers count if the earlier ones are equal. */
  readonly beforeAge: readonly number[];
  readonly readySince: number | undefined;
  readonly restarts: readonly number[];
  readonly createdAt: number;
}

/** Sorts the pods so that those whose loss matters least come first: Kubernetes' order. */
export function inDeletionOrder(
  pods: readonly Readonly<Pod>[],
  related: readonly Readonly<Pod>[],
  now: Date,
): Readonly<Pod>[] {
  const onNode = new Map<string, number>();
  for (const pod of related) if (isActive(pod)) onNode.set(nodeOf(pod), (onNode.get(nodeOf(pod)) ?? 0) + 1);
  return pods
    .map((pod) => ranked(pod, onNode.get(nodeOf(pod)) ?? 0))
    .sort((a, b) => compare(a, b, now.getTime()))
    .map(({ pod }) => pod);
}

function ranked(pod: Readonly<Pod>, relatedOnNode: number): Ranked {
  const beforeAge = [
    nodeOf(pod) === '' ? 0 : 1,
    Math.max(0, phases.indexOf(pod.status?.phase ?? '')),
    isReady(pod) ? 1 : 0,
    deletionCost(pod),
    -relatedOnNode,
  ];
  return {
    pod,
    beforeAge,
    readySince: isReady(pod) ? Date.parse(conditionOf(pod, 'Ready')?.lastTransitionTime ?? '') : undefined,
    restarts: restartsOf(pod).map((count) => -count),
    createdAt: Date.parse(pod.metadata.creationTimestamp ?? ''),
  };
}

function compare(a: Ranked, b: Ranked, now: number): number {
  return (
    compareLists(a.beforeAge, b.beforeAge) ||
    (a.readySince !== b.readySince && compareTimes(a, b, now, ({ readySince }) => readySince)) ||
    compareLists(a.restarts, b.restarts) ||
    (a.createdAt !== b.createdAt && compareTimes(a, b, now, ({ createdAt }) => createdAt)) ||
    byUid(a, b)
  );
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, i) => value !== b[i]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

/** The younger first. Ages of one order of magnitude count as equal; of such pods, any may go. */
function compareTimes(a: Ranked, b: Ranked, now: number, timeOf: (ranked: Ranked) => number | undefined): number {
  return magnitude(now - (timeOf(a) ?? now)) - magnitude(now - (timeOf(b) ?? now)) || byUid(a, b);
}

/** Kubernetes takes the logarithm of nanoseconds. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.trunc(Math.log2(ageMs * 1e6)) : -1;
}

function byUid({ pod: a }: Ranked, { pod: b }: Ranked): number {
  return (a.metadata.uid ?? '') < (b.metadata.uid ?? '') ? -1 : 1;
}

function nodeOf({ spec }: Readonly<Pod>): string {
  return spec?.nodeName ?? '';
}

function deletionCost({ metadata }: Readonly<Pod>): number {
  const cost = Number(metadata.annotations?.[costAnnotation] ?? 0);
  return Number.isInteger(cost) ? cost : 0;
}

/** The most restarts of a container, and of a sidecar. */
function restartsOf({ spec, status }: Readonly<Pod>): number[] {
  const sidecars = new Set(
    spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const most = (statuses: readonly ContainerStatus[] = []): number =>
    statuses.reduce((highest, { restartCount = 0 }) => Math.max(highest, restartCount), 0);
  return [
    most(status?.containerStatuses),
    most(status?.initContainerStatuses?.filter(({ name }) => sidecars.has(name))),
  ];
}
