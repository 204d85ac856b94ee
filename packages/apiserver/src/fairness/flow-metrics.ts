import type { Counter, FamilyOptions, Histogram, MetricsRegistry } from '@flotilla/kube';
import type { FlowConfig } from './flow-config.ts';
import type { FlowStats } from './flow-stats.ts';
import type { PriorityLevel } from './priority-level.ts';
import { putUsage } from './usage/usage-metrics.ts';

const prefix = 'apiserver_flowcontrol_';
const flowLabels = ['flow_schema', 'priority_level'];

type GaugeOf<T> = readonly [name: string, help: string, valueOf: (value: T) => number];

const levelGauges: readonly GaugeOf<PriorityLevel>[] = [
  ['nominal_limit_seats', 'Seats of a priority level by its shares.', ({ limits }) => limits.nominal],
  ['lower_limit_seats', 'Seats that a priority level keeps when it lends all it may.', ({ limits }) => limits.lower],
  ['upper_limit_seats', 'Seats of a priority level that borrows all it may.', ({ limits }) => limits.upper],
  ['current_limit_seats', 'Seats of a priority level now.', ({ seats }) => seats],
  ['current_r', 'Virtual time of the queues of a priority level, in seat-seconds.', ({ queues }) => queues.r / 1000],
];

type Adjustment = NonNullable<ReturnType<FlowConfig['levels']['adjustments']['get']>>;

const demandGauges: readonly GaugeOf<Adjustment>[] = [
  ['demand_seats_high_watermark', 'Highest demand for seats in the last period.', ({ demand }) => demand.highest],
  ['demand_seats_average', 'Average demand for seats in the last period.', ({ demand }) => demand.average],
  ['demand_seats_stdev', 'Standard deviation of the demand for seats.', ({ demand }) => demand.deviation],
  ['demand_seats_smoothed', 'Smoothed demand for seats.', ({ demand }) => demand.smoothed],
  ['target_seats', 'Seats that a priority level should have by its demand.', ({ target }) => target],
];

const flowGauges: readonly GaugeOf<FlowStats>[] = [
  ['current_inqueue_requests', 'Requests that wait in queues.', ({ waitingRequests }) => waitingRequests],
  ['current_inqueue_seats', 'Seats that requests in queues wait for.', ({ waitingSeats }) => waitingSeats],
  ['current_executing_requests', 'Requests that have seats.', ({ executingRequests }) => executingRequests],
  ['current_executing_seats', 'Seats that requests have.', ({ executingSeats }) => executingSeats],
];

type HistogramOf = readonly [
  name: string,
  help: string,
  extraLabels: Readonly<Record<string, string>>,
  of: (stats: FlowStats) => Histogram,
];

const waitHelp = 'Time that requests waited in queues.';
const executionHelp = 'Time from the arrival of a request to its response; of a watch, to its first event.';

const histograms: readonly HistogramOf[] = [
  ['request_wait_duration_seconds', waitHelp, { execute: 'true' }, ({ waitedAndExecuted }) => waitedAndExecuted],
  ['request_wait_duration_seconds', waitHelp, { execute: 'false' }, ({ waitedAndRejected }) => waitedAndRejected],
  ['request_execution_seconds', executionHelp, { type: 'regular' }, ({ regularSeconds }) => regularSeconds],
  ['request_execution_seconds', executionHelp, { type: 'watch' }, ({ watchSeconds }) => watchSeconds],
  [
    'request_queue_length_after_enqueue',
    'Length of a queue with a request that joined it.',
    {},
    ({ queueLengths }) => queueLengths,
  ],
  ['work_estimated_seats', 'Seats that requests are estimated to need.', {}, ({ estimatedSeats }) => estimatedSeats],
  ['watch_count_samples', 'Watches that get the event of a change.', {}, ({ watchCounts }) => watchCounts],
];

/**
 * Registers kube-apiserver's metrics of flow control. They are computed at a scrape, so that requests only count. Left out are
 * gauges about the arithmetic of queues.
 */
export function flowMetrics(metrics: MetricsRegistry, config: FlowConfig): void {
  metrics.beforeScrape(() => {
    config.load();
    for (const level of config.levels.all()) setLevel(metrics, config, level);
    for (const stats of config.stats()) setFlow(metrics, stats);
    putUsage(metrics, config.levels);
    gauge(metrics, 'seat_fair_frac', 'Part of its target that each level gets, within its limits.', [])
      .with()
      .set(config.levels.fairFraction);
  });
}

function setLevel(metrics: MetricsRegistry, config: FlowConfig, level: PriorityLevel): void {
  const { name } = level.spec;
  for (const [metric, help, valueOf] of levelGauges) {
    gauge(metrics, metric, help, ['priority_level']).with(name).set(valueOf(level));
  }
  const adjustment = config.levels.adjustments.get(level);
  if (adjustment === undefined) return;
  for (const [metric, help, valueOf] of demandGauges) {
    gauge(metrics, metric, help, ['priority_level']).with(name).set(valueOf(adjustment));
  }
}

function setFlow(metrics: MetricsRegistry, stats: FlowStats): void {
  stats.flush();
  const { schema, level, dispatched, rejected } = stats;
  for (const [metric, help, valueOf] of flowGauges) {
    gauge(metrics, metric, help, flowLabels).with(schema, level).set(valueOf(stats));
  }
  raise(
    counter(metrics, 'dispatched_requests_total', 'Requests that executed.', flowLabels).with(schema, level),
    dispatched,
  );
  for (const [reason, count] of rejected) {
    const family = counter(metrics, 'rejected_requests_total', 'Requests that were refused.', [
      ...flowLabels,
      'reason',
    ]);
    raise(family.with(schema, level, reason), count);
  }
  for (const [metric, help, extra, histogramOf] of histograms)
    putHistogram(metrics, stats, { metric, help, extra, histogramOf });
}

interface HistogramParts {
  readonly metric: string;
  readonly help: string;
  readonly extra: Readonly<Record<string, string>>;
  readonly histogramOf: (stats: FlowStats) => Histogram;
}

/** Labels are in alphabetical order, as Prometheus prints them. */
function putHistogram(
  metrics: MetricsRegistry,
  stats: FlowStats,
  { metric, help, extra, histogramOf }: HistogramParts,
): void {
  const series = histogramOf(stats);
  if (series.count === 0) return;
  const values: Readonly<Record<string, string>> = { ...extra, flow_schema: stats.schema, priority_level: stats.level };
  const labels = Object.keys(values).sort();
  metrics.histogram({ name: prefix + metric, help, labels }).put(series, ...labels.map((label) => values[label] ?? ''));
}

function gauge(
  metrics: MetricsRegistry,
  name: string,
  help: string,
  labels: readonly string[],
): ReturnType<MetricsRegistry['gauge']> {
  return metrics.gauge({ ...family(name, help, labels) });
}

function counter(
  metrics: MetricsRegistry,
  name: string,
  help: string,
  labels: readonly string[],
): ReturnType<MetricsRegistry['counter']> {
  return metrics.counter({ ...family(name, help, labels) });
}

function family(name: string, help: string, labels: readonly string[]): FamilyOptions {
  return { name: prefix + name, help, labels };
}

function raise(series: Counter, value: number): void {
  series.add(value - series.value);
}
