import { exponentialBounds, type Counter, type Gauge, type Histogram, type MetricsRegistry } from '@flotilla/kube';
import type { Priority, QueueObserver } from './work-queue.ts';

/** From ten nanoseconds to a thousand seconds. */
const bounds = exponentialBounds(1e-8, 10, 12);

/** The `workqueue_*` metrics of one queue, with controller-runtime's names. */
export class QueueMetrics implements QueueObserver {
  readonly #make: () => QueueSeries;
  readonly #workedMs: () => readonly number[];
  readonly #stopScrapes: () => void;
  /** Made for the first key or scrape: most queues of most members never hold a key. */
  #made: QueueSeries | undefined;

  /** `workedMs` returns how long each key that is in work has been so. */
  constructor(registry: MetricsRegistry, name: string, workedMs: () => readonly number[]) {
    this.#workedMs = workedMs;
    this.#make = () => seriesOf(registry, name);
    this.#stopScrapes = registry.beforeScrape(() => this.#updateRunning());
  }

  added(priority: Priority): void {
    const { adds, depth } = this.#series;
    adds.add();
    depth[priority].add();
  }

  taken(priority: Priority, waitedMs: number): void {
    const { depth, waited } = this.#series;
    depth[priority].add(-1);
    waited.observe(waitedMs / 1000);
  }

  done(workedMs: number): void {
    this.#series.worked.observe(workedMs / 1000);
  }

  retried(): void {
    this.#series.retries.add();
  }

  stop(): void {
    this.#stopScrapes();
    this.#made?.depth.now.set(0);
    this.#made?.depth.later.set(0);
  }

  get #series(): QueueSeries {
    return (this.#made ??= this.#make());
  }

  #updateRunning(): void {
    const running = this.#workedMs();
    this.#series.unfinished.set(running.reduce((sum, ms) => sum + ms, 0) / 1000);
    this.#series.longest.set(Math.max(0, ...running) / 1000);
  }
}

interface QueueSeries {
  readonly depth: Readonly<Record<Priority, Gauge>>;
  readonly adds: Counter;
  readonly retries: Counter;
  readonly waited: Histogram;
  readonly worked: Histogram;
  readonly unfinished: Gauge;
  readonly longest: Gauge;
}

function seriesOf(registry: MetricsRegistry, queue: string): QueueSeries {
  const labels = ['name', 'controller'];
  const metric = (name: string, help: string) => ({ name: `workqueue_${name}`, help, labels });
  const depth = registry.gauge({
    ...metric('depth', 'Current depth of workqueue by workqueue and priority'),
    labels: [...labels, 'priority'],
  });
  const live = depth.with(queue, queue, '0');
  const counter = (name: string, help: string) => registry.counter(metric(name, help)).with(queue, queue);
  const gauge = (name: string, help: string) => registry.gauge(metric(name, help)).with(queue, queue);
  const histogram = (name: string, help: string) =>
    registry.histogram({ ...metric(name, help), bounds }).with(queue, queue);
  return {
    // The numbers are controller-runtime's, which knows two priorities.
    depth: { now: live, soon: live, later: depth.with(queue, queue, '-100') },
    adds: counter('adds_total', 'Total number of adds handled by workqueue'),
    retries: counter('retries_total', 'Total number of retries handled by workqueue'),
    waited: histogram(
      'queue_duration_seconds',
      'How long in seconds an item stays in workqueue before being requested',
    ),
    worked: histogram('work_duration_seconds', 'How long in seconds processing an item from workqueue takes.'),
    unfinished: gauge('unfinished_work_seconds', 'Seconds of work in progress; steady growth means a stuck worker'),
    longest: gauge('longest_running_processor_seconds', 'How many seconds the longest running work has taken so far'),
  };
}
