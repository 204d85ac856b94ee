import type { ApiError, LabelSelector } from '@flotilla/kube';
import { nothingToDo, type Plan, type PlannedEvent, type Write } from '@flotilla/runtime';
import { kinds, type Job, type JobStatus, type Pod } from '../kinds.ts';
import { claim } from '../ownership/claim.ts';
import { podRefusal } from '../pods/pod-refusal.ts';
import { isReady } from '../pods/pod-state.ts';
import { inGrowingBatches } from '../status/growing-batches.ts';
import type { RecentFailures } from './backoff.ts';
import type { Verdict } from './job-condition.ts';
import { isTracked, trackingFinalizer, untrack } from './job-pod.ts';
import { progressOf, type JobProgress } from './job-progress.ts';
import { nextStatus, type JobCounts, type NextJobStatus } from './next-status.ts';
import { podChanges } from './pod-changes.ts';
import { completionsReached, untilDeadline, verdictOn } from './verdict.ts';

export interface JobState {
  readonly job: Readonly<Job>;
  readonly selector: LabelSelector;
  /** The pods that it controls, and orphans of its namespace. */
  readonly candidates: readonly Readonly<Pod>[];
  readonly failures: RecentFailures;
}

/**
 * Creates pods until enough have succeeded, and counts each finished pod exactly once: the status names it before it loses the
 * finalizer, and adds it to a counter after.
 */
export function decideJob({ job, selector, candidates, failures }: JobState, now: Date): Plan {
  const owner = { kind: kinds.job, object: job, selector, finalizer: trackingFinalizer };
  const { owned, writes: claims } = claim(kinds.pod, owner, candidates);
  if (claims.length > 0) return { steps: [claims] };
  if (!knownModes.has(job.spec?.completionMode)) return unknownMode(job);
  const progress = progressOf(job, owned);
  const verdict = verdictOn(job, progress, now);
  return verdict === undefined ? goOn(job, progress, failures, now) : end(job, progress, verdict, now);
}

const knownModes: ReadonlySet<string | undefined> = new Set([undefined, 'NonIndexed', 'Indexed']);

function unknownMode(job: Readonly<Job>): Plan {
  const message = 'Skipped Job sync because completion mode is unknown';
  return { steps: [], events: [{ about: job, type: 'Warning', reason: 'UnknownCompletionMode', message }] };
}

/** Pods lose their finalizer before they are deleted: a pod that still had it would be counted as failed. */
function end(job: Readonly<Job>, progress: JobProgress, verdict: Verdict, now: Date): Plan {
  const { active, terminating } = progress;
  const counts = { active: 0, ready: 0, terminating: terminating.length + active.length };
  const next = nextStatus(job, progress, counts, verdict, now);
  return {
    steps: [statusWrites(job, next.status), next.uncountable.map(untrack), active.map((pod) => deletion(job, pod))],
    events: next.events,
  };
}

function goOn(job: Readonly<Job>, progress: JobProgress, failures: RecentFailures, now: Date): Plan {
  const { pods, active, terminating } = progress;
  const isLeaving = job.metadata.deletionTimestamp !== undefined;
  const changes = isLeaving ? { creations: [], deletions: [] } : podChanges(job, progress, failures, now);
  const { creations, deletions } = changes;
  const deleted = new Set(deletions);
  const remaining = pods.filter((pod) => !deleted.has(pod));
  const counts: JobCounts = {
    active: active.length + creations.length - deletions.length,
    ready: active.filter((pod) => !deleted.has(pod) && isReady(pod)).length,
    terminating: terminating.length + deletions.length,
  };
  const verdict = isComplete(job, progress, counts.active) ? completionsReached : undefined;
  const next = nextStatus(job, { ...progress, pods: remaining }, counts, verdict, now);
  const waits = [changes.requeueAfterMs, untilDeadline(job, now)].filter((wait) => wait !== undefined);
  return {
    steps: [
      deletions.filter(isTracked).map(untrack),
      deletions.map((pod) => deletion(job, pod)),
      ...inGrowingBatches(creations.map((pod) => creation(job, pod))),
      statusWrites(job, next.status),
      next.uncountable.map(untrack),
    ],
    events: next.events,
    refused: (error) => afterRefusal(job, progress, error, now),
    ...(waits.length > 0 && verdict === undefined && { requeueAfterMs: Math.min(...waits) }),
  };
}

function isComplete({ spec }: Readonly<Job>, { succeeded }: JobProgress, active: number): boolean {
  return active === 0 && (spec?.completions === undefined ? succeeded > 0 : succeeded >= spec.completions);
}

function statusWrites(job: Readonly<Job>, status: JobStatus): Write[] {
  return [{ verb: 'update', kind: kinds.job, object: { ...job, status }, subresource: 'status' }];
}

function creation(job: Readonly<Job>, pod: Pod): Write {
  const event = normal(job, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
  return { verb: 'create', kind: kinds.pod, object: pod, event };
}

function deletion(job: Readonly<Job>, { metadata }: Readonly<Pod>): Write {
  const { namespace, name = '', uid = '' } = metadata;
  const event = normal(job, 'SuccessfulDelete', `Deleted pod: ${name}`);
  return { verb: 'delete', kind: kinds.pod, key: { namespace, name }, uid, event };
}

/** The server refuses pods, for instance because of a quota: the status shows the pods that there are. */
function afterRefusal(
  job: Readonly<Job>,
  progress: JobProgress,
  error: ApiError,
  now: Date,
): Pick<Plan, 'steps' | 'events'> {
  const { details } = error.status;
  const isInTerminatingNamespace = details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
  if (details?.kind !== 'pods' || isInTerminatingNamespace) return nothingToDo;
  const { active, terminating } = progress;
  const counts = { active: active.length, ready: active.filter(isReady).length, terminating: terminating.length };
  const next: NextJobStatus = nextStatus(job, progress, counts, undefined, now);
  const message = `Error creating: ${podRefusal(error)}`;
  return {
    steps: [statusWrites(job, next.status), next.uncountable.map(untrack)],
    events: [{ about: job, type: 'Warning', reason: 'FailedCreate', message }],
  };
}

function normal(about: Readonly<Job>, reason: string, message: string): PlannedEvent {
  return { about, type: 'Normal', reason, message };
}
