/** The one loop behind everything that reconciles by key: a queue, workers, retries, metrics and log lines. */
import { errorMessage, type Logger, type MetricsRegistry } from '@flotilla/kube';
import { LoopTurns, type Clock } from '@flotilla/timing';
import { controllerMetrics, type ControllerMetrics, type TurnResult } from './controller-metrics.ts';
import { dispositionOf } from './failures.ts';
import { QueueMetrics } from './queue/queue-metrics.ts';
import type { RetryLimits } from './queue/retry-limiter.ts';
import { WorkQueue, type Priority } from './queue/work-queue.ts';

export interface WorkLoopOptions {
  /** The `controller` label of its metrics. */
  readonly name: string;
  readonly clock: Clock;
  /** Shared by all work of the thread. Default: an instance of its own. */
  readonly turns?: LoopTurns | undefined;
  readonly logger: Logger;
  /** Without it, nothing is measured. */
  readonly metrics?: MetricsRegistry | undefined;
  /** Default: that of controller-runtime. */
  readonly metricsPrefix?: string | undefined;
  /** How many keys are in work at once. Default: 1. */
  readonly workers?: number | undefined;
  readonly retryLimits?: RetryLimits | undefined;
  /**
   * Reconciles a key. Resolves with the delay to requeue it, or undefined to wait for a change. Must be an async function: the loop handles
   * rejections, and an exception before the promise would end the process.
   */
  readonly turn: (key: string) => Promise<number | undefined>;
  readonly observer?: TurnObserver | undefined;
  /** If it returns false, the key leaves the queue until its owner adds it again. */
  readonly mayBegin?: (key: string) => boolean;
}

/** Notified of every turn, for metrics with names of their own. */
export interface TurnObserver {
  readonly began: () => void;
  /** `seconds` is how long the turn took. */
  readonly ended: (result: TurnResult, seconds: number) => void;
}

export interface Failure {
  readonly key: string;
  readonly message: string;
  readonly at: Date;
}

/** Takes no key before `start`. */
export class WorkLoop {
  readonly #options: WorkLoopOptions;
  readonly #workers: number;
  readonly #loopTurns: LoopTurns;
  readonly #queueMetrics: QueueMetrics | undefined;
  readonly #queue: WorkQueue;
  readonly #stopScrapes: (() => void) | undefined;
  #state: 'waiting' | 'running' | 'stopped' = 'waiting';
  /** Made by `stop`: resolves when no key is in work. */
  #ended: PromiseWithResolvers<void> | undefined;
  /** Pumps that are planned, by the priority of the keys that they begin. */
  readonly #planned: Record<Priority, boolean> = { now: false, soon: false, later: false };
  #lastFailure: Failure | undefined;
  #metrics: ControllerMetrics | undefined;

  constructor(options: WorkLoopOptions) {
    const { name, clock, metrics, retryLimits, workers = 1 } = options;
    this.#options = options;
    this.#workers = workers;
    this.#loopTurns = options.turns ?? new LoopTurns();
    this.#queueMetrics = metrics && new QueueMetrics(metrics, name, () => this.#queue.workedMs());
    this.#stopScrapes = metrics?.beforeScrape(() => void this.#madeMetrics());
    this.#queue = new WorkQueue({
      clock,
      onReady: () => this.#planPump(),
      ...(this.#queueMetrics && { observer: this.#queueMetrics }),
      ...(retryLimits && { retryLimits }),
    });
  }

  add(key: string, priority?: Priority): void {
    this.#queue.add(key, priority);
  }

  /** A key that waits already keeps the earlier moment. */
  addAfter(key: string, delayMs: number): void {
    this.#queue.addAfter(key, delayMs);
  }

  start(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'running';
    this.#planPump();
  }

  /** Waits for the keys in work, and takes no more. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.#queue.stop();
    this.#ended ??= Promise.withResolvers();
    if (this.#queue.inWork === 0) this.#ended.resolve();
    await this.#ended.promise;
    this.#queueMetrics?.stop();
    this.#stopScrapes?.();
  }

  /** Made for the first turn or scrape: most controllers of most members never have work. */
  #madeMetrics(): ControllerMetrics | undefined {
    const { name, metrics, metricsPrefix } = this.#options;
    if (metrics === undefined) return undefined;
    const controller = { controller: name, workers: this.#workers, prefix: metricsPrefix };
    return (this.#metrics ??= controllerMetrics(metrics, controller));
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  /** True if there is no work before a key is added or a timer fires. */
  get isAtRest(): boolean {
    const { depth, inWork } = this.#queue;
    const { now, soon, later } = this.#planned;
    return this.#state === 'running' && depth + inWork === 0 && !now && !soon && !later;
  }

  /** Keys whose last turn failed. */
  get failing(): number {
    return this.#queue.failing;
  }

  /** Numbers of keys: ready, in work, delayed by a timer. */
  get counts(): { readonly waiting: number; readonly inWork: number; readonly delayed: number } {
    const { depth: waiting, inWork, delayed } = this.#queue;
    return { waiting, inWork, delayed };
  }

  /** The last failure that counts as an error. */
  get lastFailure(): Failure | undefined {
    return this.#lastFailure;
  }

  /** Counts an exception of our code outside of a turn. */
  countPanic(): void {
    this.#madeMetrics()?.panics.add();
  }

  /**
   * In the next turn of the event loop, so that changes that come together are one turn of a key. New work waits for other work of the
   * thread: work in progress costs memory, and what follows from it should not wait for hundreds of other keys. Keys of a first list
   * wait for all other work.
   */
  #planPump(): void {
    const { highest } = this.#queue;
    if (this.#state !== 'running' || highest === undefined || this.#planned[highest]) return;
    this.#planned[highest] = true;
    const pump = (): void => {
      this.#planned[highest] = false;
      this.#pump(highest === 'now' ? Infinity : 1);
    };
    if (highest === 'now') this.#loopTurns.later(pump);
    else if (highest === 'soon') this.#loopTurns.afterOthers(pump);
    else this.#loopTurns.afterAll(pump);
  }

  /** Without a limit it begins keys while there are some that do not wait for other work. */
  #pump(maxTurns: number): void {
    const { mayBegin } = this.#options;
    for (let begun = 0; this.#state === 'running' && this.#queue.inWork < this.#workers;) {
      if (this.#queue.depth === 0) return;
      const mustWait = maxTurns === Infinity && this.#queue.highest !== 'now';
      if (begun === maxTurns || mustWait || this.#loopTurns.isOver()) return this.#planPump();
      const key = this.#queue.take();
      if (key === undefined) return;
      if (mayBegin === undefined || mayBegin(key)) {
        begun++;
        this.#begin(key);
      } else this.#queue.done(key);
    }
  }

  /** Not an async function, which would allocate twice as much. */
  #begin(key: string): void {
    const { turn, observer } = this.#options;
    this.#madeMetrics()?.activeWorkers.add();
    observer?.began();
    void turn(key).then(
      (requeueAfterMs) => this.#end(key, this.#succeeded(key, requeueAfterMs)),
      // A turn that fails because the loop stops is not a failure.
      (error: unknown) => this.#end(key, this.#state === 'stopped' ? undefined : this.#failed(key, error)),
    );
  }

  #end(key: string, result: TurnResult | undefined): void {
    this.#metrics?.activeWorkers.add(-1);
    const seconds = this.#queue.done(key) / 1000;
    if (result !== undefined) {
      this.#metrics?.results[result].add();
      this.#metrics?.seconds.observe(seconds);
      this.#options.observer?.ended(result, seconds);
    }
    if (this.#queue.depth > 0) this.#planPump();
    if (this.#queue.inWork === 0) this.#ended?.resolve();
  }

  #succeeded(key: string, requeueAfterMs: number | undefined): TurnResult {
    this.#queue.forget(key);
    if (requeueAfterMs === undefined) return 'success';
    this.#queue.addAfter(key, requeueAfterMs);
    return 'requeue_after';
  }

  /** Logs each failure once, at the level that its class deserves, and requeues it accordingly. */
  #failed(key: string, error: unknown): TurnResult {
    const { logger } = this.#options;
    const disposition = dispositionOf(error);
    const message = errorMessage(error);
    switch (disposition.kind) {
      case 'await-change':
        this.#queue.forget(key);
        this.#madeMetrics()?.terminalErrors.add();
        logger.info('reconcile refused, waiting for a change', { key, reason: disposition.reason, message });
        return 'error';
      case 'requeue-after':
        this.#queue.forget(key);
        this.#queue.addAfter(key, disposition.afterMs);
        logger.debug('reconcile postponed', { key, message, retryMs: disposition.afterMs });
        return 'requeue_after';
      case 'requeue':
        logger.debug('reconcile lost a race, retrying', { key, message, ...this.#retry(key) });
        return 'requeue';
      case 'back-off':
        logger.warn('reconcile failed', { key, message, ...this.#countError(key, message) });
        return 'error';
      case 'back-off-and-alert':
        this.#madeMetrics()?.panics.add();
        logger.error('reconcile failed', { key, error, ...this.#countError(key, message) });
        return 'error';
    }
  }

  #countError(key: string, message: string): { readonly failures: number; readonly retryMs: number } {
    this.#madeMetrics()?.errors.add();
    this.#lastFailure = { key, message, at: new Date(this.#options.clock.now()) };
    return this.#retry(key);
  }

  #retry(key: string): { readonly failures: number; readonly retryMs: number } {
    const retryMs = this.#queue.addRateLimited(key);
    return { failures: this.#queue.failuresOf(key), retryMs };
  }
}
