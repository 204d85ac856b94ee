/** Works through the names of Works, a few at a time. What fails is tried again, later each time. */
import type { Logger, MetricsRegistry } from '@flotilla/kube';
import { controllerMetrics, dispositionOf, QueueMetrics, WorkQueue, type Priority } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';

export interface WorkLoopOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** How many are in work at once. */
  readonly workers: number;
  /** Resolves with when to look again, if at all before something happens. */
  readonly turn: (key: string) => Promise<number | undefined>;
}

/** A hub that was gone for an hour must not have to wait for long when it is back, and all Works failed by then. */
const retryLimits = { firstMs: 5, maxMs: 30_000, perSecond: 100, burst: 1000 };

export class WorkLoop {
  readonly #options: WorkLoopOptions;
  readonly #metrics: ReturnType<typeof controllerMetrics>;
  readonly #queueMetrics: QueueMetrics;
  readonly #queue: WorkQueue;
  readonly #turns = new Set<Promise<void>>();
  #state: 'waiting' | 'running' | 'stopped' = 'waiting';
  #isPumpPlanned = false;

  constructor(options: WorkLoopOptions) {
    const { name, clock, metrics, workers } = options;
    this.#options = options;
    this.#metrics = controllerMetrics(metrics, name);
    this.#metrics.maxWorkers.set(workers);
    this.#queueMetrics = new QueueMetrics(metrics, name, clock);
    this.#queue = new WorkQueue({
      clock,
      retryLimits,
      observer: this.#queueMetrics,
      onReady: () => this.#planPump(),
    });
  }

  add(key: string, priority?: Priority): void {
    this.#queue.add(key, priority);
  }

  addAfter(key: string, delayMs: number): void {
    this.#queue.addAfter(key, delayMs);
  }

  /** Until then nothing is taken up. */
  start(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'running';
    this.#planPump();
  }

  /** What is in work is finished. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.#queue.close();
    await Promise.all(this.#turns);
    this.#queueMetrics.end();
  }

  /** Nothing waits, nothing is in work, and nothing failed that will be tried again. */
  get isAtRest(): boolean {
    const { depth, inWork, failing } = this.#queue;
    return this.#state === 'running' && depth + inWork + failing === 0 && !this.#isPumpPlanned;
  }

  /** In the next turn of the event loop, so that changes that come together are one round. */
  #planPump(): void {
    if (this.#isPumpPlanned || this.#state !== 'running') return;
    this.#isPumpPlanned = true;
    setImmediate(() => this.#pump());
  }

  #pump(): void {
    this.#isPumpPlanned = false;
    while (this.#state === 'running' && this.#turns.size < this.#options.workers) {
      const key = this.#queue.take();
      if (key === undefined) return;
      this.#begin(key);
    }
  }

  #begin(key: string): void {
    this.#metrics.activeWorkers.add();
    const turn = this.#turn(key).then(() => {
      this.#metrics.activeWorkers.add(-1);
      this.#turns.delete(turn);
      this.#queue.done(key);
      this.#planPump();
    });
    this.#turns.add(turn);
  }

  async #turn(key: string): Promise<void> {
    const { clock, turn } = this.#options;
    const startedAt = clock.now();
    try {
      const comeBackAfterMs = await turn(key);
      this.#queue.forget(key);
      if (comeBackAfterMs !== undefined) this.#queue.addAfter(key, comeBackAfterMs);
      this.#metrics.results[comeBackAfterMs === undefined ? 'success' : 'requeue_after'].add();
    } catch (error) {
      this.#failed(key, error);
    }
    this.#metrics.seconds.observe((clock.now() - startedAt) / 1000);
  }

  #failed(key: string, error: unknown): void {
    const { logger } = this.#options;
    const disposition = dispositionOf(error);
    if (disposition.kind === 'come-back') {
      this.#queue.forget(key);
      this.#queue.addAfter(key, disposition.afterMs);
      this.#metrics.results.requeue_after.add();
      return logger.debug('not yet', { work: key, error });
    }
    this.#queue.addRateLimited(key);
    if (disposition.kind === 'look-again') {
      this.#metrics.results.requeue.add();
      return logger.debug('a race was lost', { work: key, error });
    }
    this.#metrics.results.error.add();
    this.#metrics.errors.add();
    logger.warn('a Work could not be finished', { work: key, error, failures: this.#queue.failuresOf(key) });
  }
}
