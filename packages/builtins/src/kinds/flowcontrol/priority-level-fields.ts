import type { KubeObject } from '@flotilla/kube';

export interface PriorityLevelSpec {
  readonly type?: string;
  readonly limited?: LimitedLevel;
  readonly exempt?: ExemptLevel;
}

export interface ExemptLevel {
  nominalConcurrencyShares?: number | null;
  lendablePercent?: number;
}

export interface LimitedLevel extends ExemptLevel {
  readonly limitResponse?: LimitResponse;
  readonly borrowingLimitPercent?: number;
}

export interface LimitResponse {
  readonly type?: string;
  readonly queuing?: Queuing;
}

export interface Queuing {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}

export function priorityLevelSpecOf(object: KubeObject): PriorityLevelSpec {
  return (object as KubeObject & { readonly spec?: PriorityLevelSpec }).spec ?? {};
}
