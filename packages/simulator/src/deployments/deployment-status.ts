import type { Condition, Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '../kinds.ts';
import { counts } from '../status/next-status.ts';
import { findCondition, withFailure, withNews, withoutCondition, withReport, type Report } from './conditions.ts';
import { desiredReplicas, maxUnavailable, progressDeadlineSeconds } from './limits.ts';
import { allSets, availableIn, sizeOf, sum, type Rollout } from './rollout.ts';

/** The status of a Deployment that is scaled, paused or deleted: without a verdict on its progress. */
export function statusOf(rollout: Rollout, now: Date): DeploymentStatus {
  const { deployment, newSet } = rollout;
  const sets = allSets(rollout);
  const available = sum(sets, availableIn);
  const terminating = terminatingIn(sets);
  const { collisionCount, conditions = [] } = deployment.status ?? {};
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...counts({
      replicas: sum(sets, ({ status }) => status?.replicas ?? 0),
      updatedReplicas: newSet?.status?.replicas ?? 0,
      readyReplicas: sum(sets, ({ status }) => status?.readyReplicas ?? 0),
      availableReplicas: available,
      unavailableReplicas: sum(sets, sizeOf) - available,
    }),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: [...withReport(conditions, availability(deployment, available), now)],
  };
}

/** The status of a Deployment that rolls out, or has. */
export function rolloutStatusOf(rollout: Rollout, now: Date): DeploymentStatus {
  const status = statusOf(rollout, now);
  const conditions = progressConditions(rollout, status, now);
  return { ...status, conditions: [...withFailure(conditions, failureOf(rollout))] };
}

/** Milliseconds until a rollout without progress has failed. Undefined if it cannot fail, or has. */
export function untilDeadline(
  deployment: Readonly<Deployment>,
  status: DeploymentStatus,
  now: Date,
): number | undefined {
  const deadline = progressDeadlineSeconds(deployment);
  const progress = findCondition(status.conditions, 'Progressing');
  if (deadline === undefined || progress === undefined || isComplete(deployment, status)) return undefined;
  if (progress.reason === 'ProgressDeadlineExceeded' || progress.reason === 'NewReplicaSetAvailable') return undefined;
  const since = Date.parse(progress.lastUpdateTime ?? '');
  return Number.isNaN(since) ? undefined : Math.max(0, since + deadline * 1000 + 1 - now.getTime());
}

/** Whether all pods are of the new set, and available. */
export function isComplete(deployment: Readonly<Deployment>, status: DeploymentStatus): boolean {
  const desired = desiredReplicas(deployment);
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, observedGeneration = 0 } = status;
  const isAll = [replicas, updatedReplicas, availableReplicas].every((count) => count === desired);
  return isAll && observedGeneration >= (deployment.metadata.generation ?? 0);
}

function availability(deployment: Readonly<Deployment>, available: number): Report {
  const type = 'Available';
  return available >= desiredReplicas(deployment) - maxUnavailable(deployment)
    ? { type, status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : {
        type,
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

/** Undefined if a set does not count them. Sets that were never reconciled have none. */
function terminatingIn(sets: readonly Readonly<ReplicaSet>[]): number | undefined {
  const reconciled = sets.filter(({ status }) => status?.observedGeneration !== undefined);
  const isCounted = reconciled.every(({ status }) => status?.terminatingReplicas !== undefined);
  return isCounted ? sum(sets, ({ status }) => status?.terminatingReplicas ?? 0) : undefined;
}

function progressConditions(
  { deployment, newSet }: Rollout,
  status: DeploymentStatus,
  now: Date,
): readonly DeploymentCondition[] {
  const { conditions = [] } = status;
  if (progressDeadlineSeconds(deployment) === undefined) return withoutCondition(conditions, 'Progressing');
  const before = findCondition(conditions, 'Progressing');
  const isKnown = before?.reason === 'NewReplicaSetAvailable' && status.replicas === status.updatedReplicas;
  if (isKnown) return conditions;

  const name =
    newSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newSet.metadata.name}"`;
  const report = (is: Report['status'], reason: string, what: string): Report => {
    return { type: 'Progressing', status: is, reason, message: `${name} ${what}.` };
  };
  if (isComplete(deployment, status))
    return withReport(conditions, report('True', 'NewReplicaSetAvailable', 'has successfully progressed'), now);
  if (hasProgressed(deployment.status ?? {}, status))
    return withNews(conditions, report('True', 'ReplicaSetUpdated', 'is progressing'), now);
  if (untilDeadline(deployment, status, now) === 0)
    return withReport(conditions, report('False', 'ProgressDeadlineExceeded', 'has timed out progressing'), now);
  return conditions;
}

/** New pods came or became ready, or old ones went. */
function hasProgressed(before: DeploymentStatus, now: DeploymentStatus): boolean {
  const updated = ({ updatedReplicas = 0 }: DeploymentStatus): number => updatedReplicas;
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number => replicas - updatedReplicas;
  return (
    updated(now) > updated(before) ||
    old(now) < old(before) ||
    (now.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (now.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** Failures of the new set come first. */
function failureOf(rollout: Rollout): Readonly<Condition> | undefined {
  const sets = rollout.newSet === undefined ? rollout.oldSets : [rollout.newSet, ...rollout.oldSets];
  const failures = sets
    .flatMap(({ status }) => status?.conditions ?? [])
    .filter(({ type }) => type === 'ReplicaFailure');
  return failures[0];
}
