import type { RollingUpdate, RolloutStrategy } from '@flotilla/api';

/** What is wrong with a strategy. The schema refuses most of it earlier, with other words. */
export function strategyProblems({ type, rollingUpdate, applyStrategy }: RolloutStrategy): string[] {
  const problems: string[] = [];
  if (rollingUpdate !== undefined) {
    if (type === 'External') problems.push('rollingUpdateConifg is not valid for ExternalRollout strategy type');
    problems.push(...rollingUpdateProblems(rollingUpdate));
  }
  if (applyStrategy?.serverSideApplyConfig !== undefined && applyStrategy.type !== 'ServerSideApply') {
    problems.push('serverSideApplyConfig is only valid for ServerSideApply strategy type');
  }
  return problems;
}

function rollingUpdateProblems({ maxUnavailable, maxSurge, unavailablePeriodSeconds }: RollingUpdate): string[] {
  const problems: string[] = [];
  if (unavailablePeriodSeconds < 0) {
    problems.push(`unavailablePeriodSeconds must be greater than or equal to 0, got ${unavailablePeriodSeconds}`);
  }
  if (isZero(maxUnavailable) && isZero(maxSurge)) {
    // KubeFleet accepts it, and the rollout never begins. Its API reference says that it is not allowed.
    problems.push('maxUnavailable and maxSurge cannot both be 0: no cluster could ever be updated');
  }
  return problems;
}

function isZero(value: string | number): boolean {
  return /^0+%?$/.test(String(value));
}
