import { jsonEquals, type ApiError } from '@flotilla/kube';
import type { Plan, PlannedEvent, Write } from '@flotilla/runtime';
import { kinds, type Deployment, type DeploymentStatus, type ReplicaSet } from '../kinds.ts';
import { annotationOf, revisionAnnotation } from './annotations.ts';
import { cleanupWrites } from './cleanup.ts';
import { findCondition, withReport, type Report } from './conditions.ts';
import { isComplete, rolloutStatusOf, statusOf, untilDeadline } from './deployment-status.ts';
import { isRolling, progressDeadlineSeconds } from './limits.ts';
import { newReplicaSet, syncedNewSet } from './new-replica-set.ts';
import { scalingEvent, secondWrites, setWrites } from './replica-set-writes.ts';
import { areOldPodsRunning, newSetToDesired, oldSetsToZero } from './recreate.ts';
import { decideRollback, requestedRevision } from './rollback.ts';
import { newSetSize, rollingResizes } from './rolling-update.ts';
import { allSets, isUnobserved, sizeOf, sum, type Resize, type Rollout } from './rollout.ts';
import { isScalingEvent, scalingOf } from './scaling.ts';

/** All that the decision about a Deployment needs. */
export interface DeploymentState {
  readonly rollout: Rollout;
  /** Adopts and releases ReplicaSets. */
  readonly claims: readonly Write[];
  /** For the new set, if there is none. */
  readonly proposal: Proposal | undefined;
  /** Whether an old set has pods, among them terminating ones, that have not ended. */
  readonly hasOldPods: boolean;
}

export interface Proposal {
  readonly hash: string;
  /** Whether another ReplicaSet has the name already. */
  readonly isTaken: boolean;
}

/** The order is Kubernetes'. */
export function decideDeployment(state: DeploymentState, now: Date): Plan {
  const { rollout, claims, proposal } = state;
  const { deployment } = rollout;
  if (claims.length > 0) return { steps: [claims] };
  if (deployment.metadata.deletionTimestamp !== undefined)
    return { steps: [statusWrites(deployment, deployment, statusOf(rollout, now))] };

  const synced = withNewSet(rollout, now);
  const isPaused = deployment.spec?.paused === true;
  const requested = requestedRevision(deployment);
  if (!isPaused && requested !== undefined && rollout.newSet !== undefined)
    return decideRollback(deployment, allSets(rollout), requested);
  if (isPaused || isScalingEvent(synced)) return scaledPlan(rollout, synced, now);

  const next = isRolling(deployment) ? rollingStep(synced) : recreateStep(synced, state.hasOldPods);
  if (next !== 'create') return rolloutPlan(rollout, synced, next, now);
  if (proposal === undefined) return { steps: [] };
  return proposal.isTaken ? countCollision(deployment) : creationPlan(rollout, synced, proposal.hash, now);
}

/** What to do next with the sets. */
type Step = 'create' | readonly Resize[];

function rollingStep(rollout: Rollout): Step {
  return rollout.newSet === undefined ? 'create' : rollingResizes(rollout, rollout.newSet);
}

function recreateStep(rollout: Rollout, hasOldPods: boolean): Step {
  const resizes = oldSetsToZero(rollout);
  if (resizes.length > 0) return resizes;
  if (areOldPodsRunning(rollout, hasOldPods)) return [];
  return rollout.newSet === undefined ? 'create' : newSetToDesired(rollout);
}

/**
 * The Deployment and its new set know each other: revision, annotations, and a condition that progress is measured from. These are
 * changes in memory; the plan writes them.
 */
function withNewSet(rollout: Rollout, now: Date): Rollout {
  const deployment = withPauseReport(rollout.deployment, now);
  const { oldSets } = rollout;
  if (rollout.newSet === undefined) return { ...rollout, deployment };
  const newSet = syncedNewSet(deployment, rollout.newSet, oldSets);
  const known = withRevision(deployment, newSet);
  const hasReport = findCondition(known.status?.conditions, 'Progressing') !== undefined;
  if (hasReport || progressDeadlineSeconds(known) === undefined) return { deployment: known, newSet, oldSets };
  const message = `Found new replica set "${newSet.metadata.name}"`;
  const report: Report = { type: 'Progressing', status: 'True', reason: 'FoundNewReplicaSet', message };
  return { deployment: withConditions(known, report, now), newSet, oldSets };
}

/** Time in which a Deployment is paused does not count as lack of progress. */
function withPauseReport(deployment: Readonly<Deployment>, now: Date): Readonly<Deployment> {
  const reason = findCondition(deployment.status?.conditions, 'Progressing')?.reason;
  if (progressDeadlineSeconds(deployment) === undefined || reason === 'ProgressDeadlineExceeded') return deployment;
  const isPaused = deployment.spec?.paused === true;
  if (isPaused === (reason === 'DeploymentPaused')) return deployment;
  const report: Report = isPaused
    ? { type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' }
    : { type: 'Progressing', status: 'Unknown', reason: 'DeploymentResumed', message: 'Deployment is resumed' };
  return withConditions(deployment, report, now);
}

function withConditions(deployment: Readonly<Deployment>, report: Report, now: Date): Readonly<Deployment> {
  const conditions = withReport(deployment.status?.conditions ?? [], report, now);
  return { ...deployment, status: { ...deployment.status, conditions: [...conditions] } };
}

function withRevision(deployment: Readonly<Deployment>, newSet: Readonly<ReplicaSet>): Readonly<Deployment> {
  const revision = annotationOf(newSet, revisionAnnotation) ?? '';
  if ((annotationOf(deployment, revisionAnnotation) ?? '') === revision) return deployment;
  const annotations = { ...deployment.metadata.annotations, [revisionAnnotation]: revision };
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}

function scaledPlan(rollout: Rollout, synced: Rollout, now: Date): Plan {
  const { resizes, isProportional } = scalingOf(synced);
  const writes = setWrites(rollout, synced, resizes, isProportional);
  const cleanup = rollout.deployment.spec?.paused === true ? cleanupWrites(synced) : [];
  if (isStatusPostponed(rollout, synced, writes)) return { steps: [writes, cleanup] };
  return { steps: [writes, cleanup, statusWrites(rollout.deployment, synced.deployment, statusOf(synced, now))] };
}

function rolloutPlan(rollout: Rollout, synced: Rollout, resizes: readonly Resize[], now: Date): Plan {
  const writes = setWrites(rollout, synced, resizes, false);
  const second = secondWrites(synced, resizes);
  if (isStatusPostponed(rollout, synced, writes)) return { steps: [writes, second] };
  const status = rolloutStatusOf(synced, now);
  const isDone = resizes.length === 0 && isComplete(synced.deployment, status);
  const requeueAfterMs = untilDeadline(synced.deployment, status, now);
  return {
    steps: [
      writes,
      second,
      statusWrites(rollout.deployment, synced.deployment, status),
      isDone ? cleanupWrites(synced) : [],
    ],
    ...(requeueAfterMs !== undefined && { requeueAfterMs }),
  };
}

/**
 * A status that another follows at once is not written: each change of a set's spec ends in a new status of that set, which
 * requeues the Deployment. The first status of a rollout is always written, because progress is measured from it.
 */
function isStatusPostponed(rollout: Rollout, synced: Rollout, writes: readonly Write[]): boolean {
  const revision = annotationOf(synced.deployment, revisionAnnotation);
  const isFirst = synced.newSet === undefined || annotationOf(rollout.deployment, revisionAnnotation) !== revision;
  if (isFirst) return false;
  const changesSpec = writes.some(
    (write) => write.verb === 'update' && !allSets(rollout).some(({ spec }) => spec === write.object['spec']),
  );
  return changesSpec || allSets(rollout).some(isUnobserved);
}

function creationPlan(rollout: Rollout, synced: Rollout, hash: string, now: Date): Plan {
  const { deployment, oldSets } = synced;
  const size = newSetSize(deployment, 0, sum(oldSets, sizeOf));
  const newSet = newReplicaSet(deployment, hash, size, oldSets);
  const { name } = newSet.metadata;
  const event = scalingEvent(deployment, newSet, 0, size);
  const create: Write = { verb: 'create', kind: kinds.replicaSet, object: newSet, ...(event && { event }) };
  const known = withRevision(deployment, newSet);
  const message = `Created new replica set "${name}"`;
  const report: Report = { type: 'Progressing', status: 'True', reason: 'NewReplicaSetCreated', message };
  const hasDeadline = progressDeadlineSeconds(deployment) !== undefined;
  const created = { deployment: hasDeadline ? withConditions(known, report, now) : known, newSet, oldSets };
  const status = rolloutStatusOf(created, now);
  return {
    steps: [[create], statusWrites(rollout.deployment, created.deployment, status)],
    refused: (error) => afterRefusal(rollout.deployment, name ?? '', error, now),
  };
}

function afterRefusal(
  deployment: Readonly<Deployment>,
  name: string,
  error: ApiError,
  now: Date,
): Pick<Plan, 'steps' | 'events'> {
  const isTerminating = error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating');
  if (isTerminating === true) return { steps: [] };
  const reason = 'ReplicaSetCreateError';
  const message = `Failed to create new replica set "${name}": ${error.message}`;
  const events: PlannedEvent[] = [{ about: deployment, type: 'Warning', reason, message }];
  if (progressDeadlineSeconds(deployment) === undefined) return { steps: [], events };
  const failed = withConditions(deployment, { type: 'Progressing', status: 'False', reason, message }, now);
  return { steps: [statusWrites(deployment, failed, failed.status ?? {})], events };
}

/** The count is part of the next hash. */
function countCollision(deployment: Readonly<Deployment>): Plan {
  const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
  return { steps: [statusWrites(deployment, deployment, { ...deployment.status, collisionCount })] };
}

/** The annotation with the revision is written together with the status. */
function statusWrites(
  before: Readonly<Deployment>,
  { metadata }: Readonly<Deployment>,
  status: DeploymentStatus,
): Write[] {
  const isSame = jsonEquals(before.metadata, metadata) && jsonEquals(before.status ?? {}, status);
  if (isSame) return [];
  return [{ verb: 'update', kind: kinds.deployment, object: { ...before, metadata, status }, subresource: 'status' }];
}
