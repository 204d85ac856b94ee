import { formatTime, type ApiError, type JsonObject, type Kind, type LabelSelector } from '@flotilla/kube';
import type { Plan, PlannedEvent, Write } from '@flotilla/runtime';
import { kinds, type Condition, type Pod, type ReplicaSet } from '../kinds.ts';
import { claim } from '../ownership/claim.ts';
import { isControlledBy } from '../ownership/controller-of.ts';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import { podRefusal } from '../pods/pod-refusal.ts';
import { isActive, isAvailable, isFinished, isReady, isTerminating, untilAvailable } from '../pods/pod-state.ts';
import { inGrowingBatches } from '../status/growing-batches.ts';
import { statusWrites } from '../status/next-status.ts';
import { inDeletionOrder } from '../pods/deletion-order.ts';

/** All that the decision about a set of equal pods needs. */
export interface Replicas {
  readonly kind: Kind<ReplicaSet>;
  readonly set: Readonly<ReplicaSet>;
  readonly selector: LabelSelector;
  /** The pods that it controls, and orphans of its namespace. */
  readonly candidates: readonly Readonly<Pod>[];
  /** Pods of the same workload; of two on one node, one is deleted first. */
  readonly related: readonly Readonly<Pod>[];
  readonly countsTerminating: boolean;
  /** Whether a pod with this name exists. While the status stays the same, the same names are proposed. */
  readonly isTaken: (name: string) => boolean;
}

/** Kubernetes creates or deletes at most so many pods of a set at a time. */
const maxBurst = 500;

/** Creates and deletes pods until there are as many as wanted; when there are, writes the status. */
export function decideReplicas(state: Replicas, now: Date): Plan {
  const { kind, set, selector, candidates } = state;
  const { owned, writes: claims } = claim(kinds.pod, { kind, object: set, selector }, candidates.filter(isActive));
  const wanted = set.spec?.replicas ?? 1;
  const isLeaving = set.metadata.deletionTimestamp !== undefined;
  const missing = isLeaving ? 0 : Math.min(wanted - owned.length, maxBurst);
  const refused = (error: ApiError) => afterRefusal(state, owned, error, now);
  if (missing > 0) return { steps: [claims, ...inGrowingBatches(creations(state, missing))], refused };
  if (missing < 0)
    return { steps: [[...claims, ...deletions(state, owned, Math.min(-missing, maxBurst), now)]], refused };

  const status = statusOf(state, owned, now, undefined);
  const waits = owned.flatMap((pod) => untilAvailable(pod, set.spec?.minReadySeconds ?? 0, now) || []);
  return {
    steps: [claims, statusWrites(kind, set, status)],
    ...(waits.length > 0 && { requeueAfterMs: Math.min(...waits) }),
  };
}

function creations({ kind, set, isTaken }: Replicas, count: number): Write[] {
  const objects = new Map<string, Pod>();
  for (let ordinal = 0; objects.size < count; ordinal++) {
    const object = podFromTemplate(set.spec?.template, kind, set, ordinal);
    const { name = '' } = object.metadata;
    if (!isTaken(name)) objects.set(name, object);
  }
  return Array.from(objects, ([name, object]) => {
    const event = normal(set, 'SuccessfulCreate', `Created pod: ${name}`);
    return { verb: 'create', kind: kinds.pod, object, event };
  });
}

function deletions({ set, related }: Replicas, owned: readonly Readonly<Pod>[], count: number, now: Date): Write[] {
  return inDeletionOrder(owned, related, now)
    .slice(0, count)
    .map(({ metadata }) => {
      const { namespace, name = '', uid = '' } = metadata;
      const event = normal(set, 'SuccessfulDelete', `Deleted pod: ${name}`);
      return { verb: 'delete', kind: kinds.pod, key: { namespace, name }, uid, event };
    });
}

function afterRefusal(
  state: Replicas,
  owned: readonly Readonly<Pod>[],
  error: ApiError,
  now: Date,
): Pick<Plan, 'steps' | 'events'> {
  const { kind, set } = state;
  const isTerminatingNamespace = error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating');
  if (isTerminatingNamespace === true) {
    return { steps: [statusWrites(kind, set, statusOf(state, owned, now, undefined))] };
  }
  const isCreation = owned.length < (set.spec?.replicas ?? 1);
  const refusal = podRefusal(error);
  const problem = isCreation
    ? { reason: 'FailedCreate', message: refusal }
    : { reason: 'FailedDelete', message: `unable to delete pods: ${refusal}` };
  const message = `Error ${isCreation ? 'creating' : 'deleting'}: ${refusal}`;
  return {
    steps: [statusWrites(kind, set, statusOf(state, owned, now, problem))],
    events: [{ about: set, type: 'Warning', reason: problem.reason, message }],
  };
}

interface Problem {
  readonly reason: string;
  readonly message: string;
}

function statusOf(
  { set, selector, candidates, countsTerminating }: Replicas,
  owned: readonly Readonly<Pod>[],
  now: Date,
  problem: Problem | undefined,
): JsonObject {
  const { minReadySeconds = 0, template } = set.spec ?? {};
  const labels = Object.entries(template?.metadata?.labels ?? {});
  const count = (matches: (pod: Readonly<Pod>) => boolean): number => owned.filter(matches).length;
  const positive = (name: string, value: number): JsonObject => (value > 0 ? { [name]: value } : {});
  const isFullyLabelled = ({ metadata }: Readonly<Pod>): boolean =>
    labels.every(([label, value]) => Object.hasOwn(metadata.labels ?? {}, label) && metadata.labels?.[label] === value);
  const terminating = candidates.filter(
    (pod) =>
      isTerminating(pod) && !isFinished(pod) && isControlledBy(pod, set) && selector.matches(pod.metadata.labels),
  ).length;
  const conditions = conditionsOf(set, problem, now);
  return {
    replicas: owned.length,
    ...positive('fullyLabeledReplicas', count(isFullyLabelled)),
    ...positive('readyReplicas', count(isReady)),
    ...positive(
      'availableReplicas',
      count((pod) => isAvailable(pod, minReadySeconds, now)),
    ),
    ...(countsTerminating && { terminatingReplicas: terminating }),
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length > 0 && { conditions }),
  };
}

/** The first failure remains, whatever fails next, until everything is well. */
function conditionsOf({ status }: Readonly<ReplicaSet>, problem: Problem | undefined, now: Date): Condition[] {
  const all = status?.conditions ?? [];
  const others = all.filter(({ type }) => type !== 'ReplicaFailure');
  if (problem === undefined) return others;
  const failure = all.find(({ type }) => type === 'ReplicaFailure');
  return [
    ...others,
    failure ?? { type: 'ReplicaFailure', status: 'True', lastTransitionTime: formatTime(now), ...problem },
  ];
}

function normal(about: Readonly<ReplicaSet>, reason: string, message: string): PlannedEvent {
  return { about, type: 'Normal', reason, message };
}
