import type { MetricsRegistry } from '@flotilla/kube';
import type { FlowLevels } from '../flow-levels.ts';
import type { PriorityLevel } from '../priority-level.ts';
import type { TimedRatio } from './timed-ratio.ts';

interface Family {
  readonly name: string;
  readonly help: string;
  /** In alphabetical order, as Prometheus prints them. */
  readonly labels: readonly string[];
}

// The sentences are kube-apiserver's.
const everyNanosecond = 'EXPERIMENTAL: [ALPHA] Observations, at the end of every nanosecond, of';

const demandSeats: Family = {
  name: 'apiserver_flowcontrol_demand_seats',
  help: `${everyNanosecond} (the number of seats each priority level could use) / (nominal number of seats for that level)`,
  labels: ['priority_level'],
};

const seatUtilization: Family = {
  name: 'apiserver_flowcontrol_priority_level_seat_utilization',
  help: `${everyNanosecond} utilization of seats for any stage of execution (but only initial stage for WATCHes)`,
  labels: ['phase', 'priority_level'],
};

const requestUtilization: Family = {
  name: 'apiserver_flowcontrol_priority_level_request_utilization',
  help: `${everyNanosecond} number of requests (as a fraction of the relevant limit) waiting or in any stage of execution (but only initial stage for WATCHes)`,
  labels: ['phase', 'priority_level'],
};

const readVersusWrite: Family = {
  name: 'apiserver_flowcontrol_read_vs_write_current_requests',
  help: `${everyNanosecond} the number of requests (as a fraction of the relevant limit) waiting or in regular stage of execution`,
  labels: ['phase', 'request_kind'],
};

/** Puts the histograms of usage over time into the registry. Call it before a scrape. */
export function putUsage(metrics: MetricsRegistry, levels: FlowLevels): void {
  const put = (family: Family, { histogram }: TimedRatio, ...values: readonly string[]): void =>
    metrics.histogram(family).put(histogram, ...values);
  for (const level of levels.withUsage()) putLevel(put, level);
  for (const phase of ['waiting', 'executing'] as const) {
    const { readOnly, mutating } = levels.readWriteUsage[phase];
    put(readVersusWrite, readOnly, phase, 'readOnly');
    put(readVersusWrite, mutating, phase, 'mutating');
  }
}

type Put = (family: Family, ratio: TimedRatio, ...values: readonly string[]) => void;

function putLevel(put: Put, { spec: { name }, usage }: PriorityLevel): void {
  put(demandSeats, usage.demand, name);
  put(seatUtilization, usage.seats, 'executing', name);
  put(requestUtilization, usage.waiting, 'waiting', name);
  put(requestUtilization, usage.executing, 'executing', name);
}
