/** How many replicas a resource metric asks for: Kubernetes' formula. */
import type { MetricTarget, Pod } from '../kinds.ts';
import { conditionOf, isTerminating } from '../pods/pod-state.ts';
import { milliValue, usageOf } from './pod-usage.ts';

/** So long after its start, a pod that is not ready may still be starting. */
const cpuInitializationMs = 300_000;
/** A pod that was not ready for longer after its start has been ready before. */
const initialReadinessDelayMs = 30_000;

export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

export interface ResourceMetric {
  readonly resource: string;
  readonly target: MetricTarget;
  readonly pods: readonly Readonly<Pod>[];
  readonly currentReplicas: number;
  readonly tolerances: Tolerances;
}

export type Proposal =
  | {
      readonly replicas: number;
      readonly averageValue: number;
      readonly averageUtilization?: number;
      /** When pods count that do not yet. */
      readonly waitMs?: number;
    }
  | { readonly failure: string };

export function replicasForResource(metric: ResourceMetric, now: Date): Proposal {
  const { resource, target, pods } = metric;
  const isUsageTarget = target.averageValue !== undefined;
  if (!isUsageTarget && target.averageUtilization === undefined) {
    const problem = 'neither an average utilization target nor an average value (usage) target was set';
    return { failure: `invalid resource metric source: ${problem}` };
  }
  const proposal = proposalFor(metric, now);
  if (!('failure' in proposal)) return proposal;
  const quantity = isUsageTarget ? 'usage' : 'utilization';
  const isMissing = pods.every((pod) => usageOf(pod, resource) === undefined);
  return {
    failure: `failed to get ${resource} ${quantity}: ${isMissing ? `unable to get metrics for resource ${resource}: ${noResourceMetrics}` : proposal.failure}`,
  };
}

export const noResourceMetrics =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';

function proposalFor({ resource, target, pods, currentReplicas, tolerances }: ResourceMetric, now: Date): Proposal {
  const groups = groupPods(pods, resource, now);
  const { usage } = groups;
  if (usage.size === 0) return { failure: 'did not receive metrics for targeted pods (pods might be unready)' };
  const requests = target.averageValue === undefined ? requestsOf(pods, resource) : undefined;
  if (typeof requests === 'string') return { failure: requests };
  const ratioOf = (values: ReadonlyMap<string, number>) => ratio(values, requests, target);
  const first = ratioOf(usage);
  if (first === undefined) return { failure: 'no metrics returned matched known pods' };
  const report = {
    averageValue: first.average,
    ...(first.utilization !== undefined && { averageUtilization: first.utilization }),
    ...(groups.waitMs !== undefined && { waitMs: groups.waitMs }),
  };
  const stay = { replicas: currentReplicas, ...report };
  const isWithin = (value: number): boolean => 1 - tolerances.down <= value && value <= 1 + tolerances.up;
  const usesUnready = groups.unready.length > 0 && first.ratio > 1;
  if (!usesUnready && groups.missing.length === 0) {
    return isWithin(first.ratio) ? stay : { replicas: Math.ceil(first.ratio * groups.ready), ...report };
  }
  // Pods without metrics are assumed to use what slows the change down.
  const assumed = new Map(usage);
  const full = (name: string): number =>
    requests === undefined
      ? (milliValue(target.averageValue ?? '') ?? 0)
      : Math.trunc(((requests.get(name) ?? 0) * Math.max(100, target.averageUtilization ?? 0)) / 100);
  if (first.ratio < 1) for (const name of groups.missing) assumed.set(name, full(name));
  if (first.ratio > 1) for (const name of groups.missing) assumed.set(name, 0);
  if (usesUnready) for (const name of groups.unready) assumed.set(name, 0);
  const second = ratioOf(assumed)?.ratio ?? first.ratio;
  const turns = (first.ratio < 1 && second > 1) || (first.ratio > 1 && second < 1);
  if (isWithin(second) || turns) return stay;
  const replicas = Math.ceil(second * assumed.size);
  const isBackwards = (second < 1 && replicas > currentReplicas) || (second > 1 && replicas < currentReplicas);
  return isBackwards ? stay : { replicas, ...report };
}

interface PodGroups {
  readonly ready: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  /** Of the pods that are ready. */
  readonly usage: ReadonlyMap<string, number>;
  readonly waitMs: number | undefined;
}

function groupPods(pods: readonly Readonly<Pod>[], resource: string, now: Date): PodGroups {
  const unready: string[] = [];
  const missing: string[] = [];
  const usage = new Map<string, number>();
  let waitMs: number | undefined;
  for (const pod of pods) {
    const { name = '' } = pod.metadata;
    const { phase } = pod.status ?? {};
    if (isTerminating(pod) || phase === 'Failed') continue;
    const value = usageOf(pod, resource);
    if (phase === 'Pending') unready.push(name);
    else if (value === undefined) missing.push(name);
    else {
      const startingMs = resource === 'cpu' ? untilStarted(pod, now) : 0;
      if (startingMs > 0) {
        unready.push(name);
        if (startingMs < Infinity) waitMs = Math.min(waitMs ?? Infinity, startingMs);
      } else usage.set(name, value);
    }
  }
  return { ready: usage.size, unready, missing, usage, waitMs };
}

/** Milliseconds until the CPU of a pod counts although it is not ready; 0 if it counts now. */
function untilStarted(pod: Readonly<Pod>, now: Date): number {
  const ready = conditionOf(pod, 'Ready');
  const start = Date.parse(pod.status?.startTime ?? '');
  if (ready === undefined || Number.isNaN(start)) return Infinity;
  if (ready.status !== 'False') return 0;
  const left = start + cpuInitializationMs - now.getTime();
  if (left > 0) return left;
  const hasBeenReady = start + initialReadinessDelayMs <= Date.parse(ready.lastTransitionTime ?? '');
  return hasBeenReady ? 0 : Infinity;
}

interface Ratio {
  readonly ratio: number;
  readonly average: number;
  readonly utilization?: number;
}

/** Undefined if no pod requests anything. */
function ratio(
  usage: ReadonlyMap<string, number>,
  requests: ReadonlyMap<string, number> | undefined,
  { averageUtilization = 0, averageValue = '' }: MetricTarget,
): Ratio | undefined {
  const total = sum(usage.values());
  const average = Math.trunc(total / usage.size);
  if (requests === undefined) return { ratio: average / (milliValue(averageValue) ?? Infinity), average };
  const requested = sum(Array.from(usage.keys(), (name) => requests.get(name) ?? 0));
  if (requested === 0) return undefined;
  const utilization = Math.trunc((total * 100) / requested);
  return { ratio: utilization / averageUtilization, average, utilization };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** The requests of pods by name, or what is missing. */
function requestsOf(pods: readonly Readonly<Pod>[], resource: string): ReadonlyMap<string, number> | string {
  const requests = new Map<string, number>();
  for (const { metadata, spec } of pods) {
    const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
    let total = 0;
    for (const { name, resources } of [...(spec?.containers ?? []), ...sidecars]) {
      const request = resources?.requests?.[resource];
      if (request === undefined) return `missing request for ${resource} in container ${name} of Pod ${metadata.name}`;
      total += milliValue(request) ?? 0;
    }
    requests.set(metadata.name ?? '', total);
  }
  return requests;
}
