import { formatTime } from '@flotilla/kube';
import type { Deployment, DeploymentCondition } from '../kinds.ts';
import { canRun } from './images.ts';
import { counts, type NextStatus } from '../status/next-status.ts';
import { shareOf } from './share.ts';

/** The counts of a Deployment once its rollout has finished or is stuck. */
interface Counts {
  readonly desired: number;
  readonly replicas: number;
  readonly updated: number;
  readonly available: number;
  readonly mayBeUnavailable: number;
}

/** `math.MaxInt32` turns the condition Progressing off. */
const noDeadline = 2_147_483_647;

export function deploymentStatus(deployment: Readonly<Deployment>, now: Date): NextStatus {
  const { generation = 0 } = deployment.metadata;
  const settled = countsOf(deployment);
  const { replicas, updated, available } = settled;
  const progress = progressOf(deployment, settled, now);
  const before = deployment.status?.conditions ?? [];
  const conditions = [availability(settled), progress?.condition].filter((condition) => condition !== undefined);
  return {
    status: {
      observedGeneration: generation,
      ...counts({
        replicas,
        updatedReplicas: updated,
        readyReplicas: available,
        availableReplicas: available,
        unavailableReplicas: replicas - available,
      }),
      conditions: merged(before, conditions, now),
    },
    requeueAfterMs: progress?.requeueAfterMs,
  };
}

/** If new pods cannot start, the rollout stops at the limits of its strategy. */
function countsOf({ spec = {}, status }: Readonly<Deployment>): Counts {
  const { replicas: desired = 1, strategy = {}, template } = spec;
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy.rollingUpdate ?? {};
  const isRolling = strategy.type !== 'Recreate';
  const surge = isRolling ? shareOf(maxSurge, desired, Math.ceil) : 0;
  const allowed = shareOf(maxUnavailable, desired, Math.floor);
  const mayBeUnavailable = isRolling ? Math.min(surge === 0 ? Math.max(1, allowed) : allowed, desired) : 0;
  if (canRun(template)) return { desired, replicas: desired, updated: desired, available: desired, mayBeUnavailable };
  const old = isRolling ? Math.min(status?.availableReplicas ?? 0, desired - mayBeUnavailable) : 0;
  const updated = Math.min(desired, desired + surge - old);
  return { desired, replicas: old + updated, updated, available: old, mayBeUnavailable };
}

function availability({ desired, available, mayBeUnavailable }: Counts): DeploymentCondition {
  return available >= desired - mayBeUnavailable
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

interface Progress {
  readonly condition: DeploymentCondition;
  readonly requeueAfterMs?: number;
}

/** Undefined without a deadline. */
function progressOf(
  { metadata, spec, status }: Readonly<Deployment>,
  settled: Counts,
  now: Date,
): Progress | undefined {
  const deadlineSeconds = spec?.progressDeadlineSeconds ?? 600;
  if (deadlineSeconds >= noDeadline) return undefined;
  const { name = '', generation } = metadata;
  const type = 'Progressing';
  if (settled.available === settled.desired && settled.updated === settled.desired) {
    const message = `Deployment "${name}" has successfully progressed.`;
    return { condition: { type, status: 'True', reason: 'NewReplicaSetAvailable', message } };
  }
  const before = status?.conditions?.find((condition) => condition.type === type);
  const isNew = status?.observedGeneration !== generation || before?.lastUpdateTime === undefined;
  const since = isNew ? now.getTime() : Date.parse(before.lastUpdateTime ?? '');
  const leftMs = since + deadlineSeconds * 1000 - now.getTime();
  const isOver = !isNew && (before.reason === 'ProgressDeadlineExceeded' || leftMs <= 0);
  if (!isOver) {
    const message = `Deployment "${name}" is progressing.`;
    const lastUpdateTime = formatTime(new Date(since));
    const condition = { type, status: 'True', reason: 'ReplicaSetUpdated', message, lastUpdateTime };
    return { condition, requeueAfterMs: leftMs };
  }
  const message = `Deployment "${name}" has timed out progressing.`;
  return { condition: { type, status: 'False', reason: 'ProgressDeadlineExceeded', message } };
}

/** Keeps a condition, with its times, if status and reason are unchanged. */
function merged(
  before: readonly DeploymentCondition[],
  now: readonly DeploymentCondition[],
  at: Date,
): DeploymentCondition[] {
  return now.map((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    const hasNewTime = condition.lastUpdateTime !== undefined && condition.lastUpdateTime !== old?.lastUpdateTime;
    if (old && old.status === condition.status && old.reason === condition.reason && !hasNewTime) return old;
    const { type, status, lastUpdateTime = formatTime(at), reason, message } = condition;
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : undefined;
    return {
      type,
      status,
      lastUpdateTime,
      lastTransitionTime: lastTransitionTime ?? formatTime(at),
      ...(reason !== undefined && { reason }),
      ...(message !== undefined && { message }),
    };
  });
}
