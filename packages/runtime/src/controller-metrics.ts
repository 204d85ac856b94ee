import type { Counter, Gauge, Histogram, MetricsRegistry } from '@flotilla/kube';

/** controller-runtime's bounds, in seconds. */
const bounds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

export type TurnResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** The metrics of one controller, with controller-runtime's names. */
export interface ControllerMetrics {
  readonly results: Readonly<Record<TurnResult, Counter>>;
  readonly errors: Counter;
  /** `UserError`s, which are not retried. */
  readonly terminalErrors: Counter;
  /** Exceptions and refused requests: mistakes of our code. */
  readonly panics: Counter;
  readonly seconds: Histogram;
  readonly activeWorkers: Gauge;
}

export interface ControllerMetricsOptions {
  readonly controller: string;
  readonly workers: number;
  /** Of the metrics that count and time reconciles. Default: that of controller-runtime. */
  readonly prefix?: string | undefined;
}

const usualPrefix = 'controller_runtime';

export function controllerMetrics(
  registry: MetricsRegistry,
  { controller, workers, prefix = usualPrefix }: ControllerMetricsOptions,
): ControllerMetrics {
  const metric = (name: string, help: string) => ({ name: `${prefix}_${name}`, help, labels: ['controller'] });
  const usual = (name: string, help: string) =>
    registry.counter({ name: `${usualPrefix}_${name}`, help, labels: ['controller'] }).with(controller);
  const counter = (name: string, help: string) => registry.counter(metric(name, help)).with(controller);
  const gauge = (name: string, help: string) => registry.gauge(metric(name, help)).with(controller);
  const total = registry.counter({
    ...metric('reconcile_total', 'Total number of reconciliations per controller'),
    labels: ['controller', 'result'],
  });
  const time = metric('reconcile_time_seconds', 'Length of time per reconciliation per controller');
  const maxWorkers = gauge('max_concurrent_reconciles', 'Maximum number of concurrent reconciles per controller');
  maxWorkers.set(workers);
  return {
    results: {
      success: total.with(controller, 'success'),
      error: total.with(controller, 'error'),
      requeue: total.with(controller, 'requeue'),
      requeue_after: total.with(controller, 'requeue_after'),
    },
    errors: counter('reconcile_errors_total', 'Total number of reconciliation errors per controller'),
    terminalErrors: usual(
      'terminal_reconcile_errors_total',
      'Total number of terminal reconciliation errors per controller',
    ),
    panics: usual('reconcile_panics_total', 'Total number of reconciliation panics per controller'),
    seconds: registry.histogram({ ...time, bounds }).with(controller),
    activeWorkers: gauge('active_workers', 'Number of currently used workers per controller'),
  };
}
