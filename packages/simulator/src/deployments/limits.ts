import { shareOf } from '@flotilla/kube';
/** The bounds within which a Deployment replaces its pods. */
import type { Deployment } from '../kinds.ts';

/** `math.MaxInt32` stands for "no deadline" and "no limit". */
const unlimited = 2_147_483_647;

export function desiredReplicas({ spec }: Readonly<Deployment>): number {
  return spec?.replicas ?? 1;
}

export function isRolling({ spec }: Readonly<Deployment>): boolean {
  return spec?.strategy?.type !== 'Recreate';
}

/** How many pods there may be beyond the desired ones. */
export function maxSurge(deployment: Readonly<Deployment>): number {
  if (!isRolling(deployment)) return 0;
  const { maxSurge: surge = 0 } = deployment.spec?.strategy?.rollingUpdate ?? {};
  return shareOf(surge, desiredReplicas(deployment), Math.ceil);
}

/** At least one of both limits is positive, or no pod could be replaced. */
export function maxUnavailable(deployment: Readonly<Deployment>): number {
  const desired = desiredReplicas(deployment);
  if (!isRolling(deployment) || desired === 0) return 0;
  const { maxUnavailable: unavailable = 0 } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const share = shareOf(unavailable, desired, Math.floor);
  return Math.min(share === 0 && maxSurge(deployment) === 0 ? 1 : share, desired);
}

/** Undefined if lack of progress is not reported. */
export function progressDeadlineSeconds({ spec }: Readonly<Deployment>): number | undefined {
  return limitOf(spec?.progressDeadlineSeconds);
}

/** Undefined if all old ReplicaSets are kept. */
export function historyLimit({ spec }: Readonly<Deployment>): number | undefined {
  return limitOf(spec?.revisionHistoryLimit);
}

function limitOf(value: number | undefined): number | undefined {
  return value === unlimited ? undefined : value;
}
