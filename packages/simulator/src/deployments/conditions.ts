import { formatTime } from '@flotilla/kube';
import type { Condition, DeploymentCondition } from '../kinds.ts';

/** What a Deployment reports; times are added where it differs from the last report. */
export interface Report {
  readonly type: 'Available' | 'Progressing';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

type Conditions = readonly DeploymentCondition[];

export function findCondition(conditions: Conditions | undefined, type: string): DeploymentCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function withoutCondition(conditions: Conditions, type: string): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}

/** Moves the condition to the end, as Kubernetes does. Unchanged if status and reason are: a new message alone is no news. */
export function withReport(conditions: Conditions, report: Report, now: Date): Conditions {
  const before = findCondition(conditions, report.type);
  return before?.status === report.status && before.reason === report.reason
    ? conditions
    : withNews(conditions, report, now);
}

/** Updates the condition, even if only its time changes. */
export function withNews(conditions: Conditions, report: Report, now: Date): Conditions {
  const time = formatTime(now);
  const before = findCondition(conditions, report.type);
  const lastTransitionTime = (before?.status === report.status && before.lastTransitionTime) || time;
  return [...withoutCondition(conditions, report.type), { ...report, lastUpdateTime: time, lastTransitionTime }];
}

/** The failure of a ReplicaSet is the failure of its Deployment. */
export function withFailure(conditions: Conditions, failure: Readonly<Condition> | undefined): Conditions {
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure');
  const before = findCondition(conditions, failure.type);
  if (before?.status === failure.status && before.reason === failure.reason) return conditions;
  const { lastTransitionTime: lastUpdateTime } = failure;
  const isSince = before?.status === failure.status ? before.lastTransitionTime : lastUpdateTime;
  return [
    ...withoutCondition(conditions, failure.type),
    {
      ...failure,
      ...(lastUpdateTime !== undefined && { lastUpdateTime }),
      ...(isSince !== undefined && { lastTransitionTime: isSince }),
    },
  ];
}
