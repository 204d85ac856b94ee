import type { Counter, MetricsRegistry } from '@flotilla/kube';

export interface MembershipCounters {
  readonly joined: Counter;
  readonly left: Counter;
}

/** How often the member joined and left, under KubeFleet's names. */
export function membershipCounters(metrics: MetricsRegistry): MembershipCounters {
  const counter = (name: string, help: string): Counter =>
    metrics.counter({ name, help, labels: ['result'] }).with('success');
  return {
    joined: counter('join_result_counter', 'How often the member joined the fleet'),
    left: counter('leave_result_counter', 'How often the member left the fleet'),
  };
}
