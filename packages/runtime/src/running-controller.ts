import type { Client } from '@flotilla/client';
import { keyText, type Logger, type MetricsRegistry } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import type { Controller, Watched } from './controller.ts';
import { controllerMetrics, type ControllerMetrics, type TurnResult } from './controller-metrics.ts';
import type { EventRecorder } from './events/event-recorder.ts';
import { dispositionOf, type Disposition } from './failures.ts';
import { InformerCache, kindText } from './informer-cache.ts';
import type { HeldInformer, InformerSet } from './informer/informer-set.ts';
import type { Informer } from './informer/informer.ts';
import { keyFromText } from './informer/object-key.ts';
import type { ReadonlyObject } from './informer/object-source.ts';
import { OwnWrites } from './own-writes.ts';
import { performPlan } from './perform-plan.ts';
import { QueueMetrics } from './queue/queue-metrics.ts';
import type { RetryLimits } from './queue/retry-limiter.ts';
import { WorkQueue } from './queue/work-queue.ts';

export interface ControllerSurroundings {
  readonly client: Client;
  readonly informers: InformerSet;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly events?: EventRecorder | undefined;
  readonly retryLimits?: RetryLimits | undefined;
}

export interface ControllerHealth {
  readonly name: string;
  /** Whether it has seen all that it watches. */
  readonly isReady: boolean;
  /** Why some of what it watches cannot be followed at the moment, by kind. */
  readonly trouble: readonly string[];
  /** Keys that could be taken now, that are in work, that wait for a moment, that failed when they were last tried. */
  readonly waiting: number;
  readonly inWork: number;
  readonly delayed: number;
  readonly failing: number;
  readonly lastFailure?: { readonly key: string; readonly message: string; readonly at: Date };
}

/** One controller at work: what changes becomes keys in a queue, and each key a turn. */
export class RunningController {
  readonly #controller: Controller;
  readonly #surroundings: ControllerSurroundings;
  readonly #metrics: ControllerMetrics;
  readonly #queueMetrics: QueueMetrics;
  readonly #logger: Logger;
  readonly #queue: WorkQueue;
  readonly #held: HeldInformer[] = [];
  readonly #informers = new Map<string, Informer>();
  readonly #cache = new InformerCache(this.#informers);
  readonly #ownWrites: OwnWrites;
  readonly #unsubscribe: (() => void)[] = [];
  readonly #turns = new Set<Promise<void>>();
  #state: 'starting' | 'running' | 'stopped' = 'starting';
  #isPumpPlanned = false;
  #lastFailure: ControllerHealth['lastFailure'];
  /** When all that it watches has been seen. */
  readonly ready: Promise<void>;

  constructor(controller: Controller, surroundings: ControllerSurroundings) {
    const { name, watches, workers = 1 } = controller;
    const { clock, metrics, informers, logger, retryLimits } = surroundings;
    this.#controller = controller;
    this.#surroundings = surroundings;
    this.#logger = logger.with({ controller: name });
    this.#metrics = controllerMetrics(metrics, name);
    this.#metrics.maxWorkers.set(workers);
    this.#queueMetrics = new QueueMetrics(metrics, name, clock);
    this.#queue = new WorkQueue({
      clock,
      onReady: () => this.#planPump(),
      observer: this.#queueMetrics,
      ...(retryLimits === undefined ? {} : { retryLimits }),
    });
    this.#ownWrites = new OwnWrites(this.#cache, clock, (key) => this.#queue.add(key));
    for (const watched of watches) this.#watch(watched, informers);
    this.ready = this.#start();
  }

  health(): ControllerHealth {
    return {
      name: this.#controller.name,
      isReady: this.#state === 'running',
      trouble: [...this.#informers].flatMap(([kind, { trouble }]) => (trouble ? [`${kind}: ${trouble}`] : [])),
      waiting: this.#queue.depth,
      inWork: this.#queue.inWork,
      delayed: this.#queue.delayed,
      failing: this.#queue.failing,
      ...(this.#lastFailure && { lastFailure: this.#lastFailure }),
    };
  }

  /** Nothing to do before something changes or time passes. */
  get isAtRest(): boolean {
    const { depth, inWork } = this.#queue;
    return (
      this.#state === 'running' && depth === 0 && inWork === 0 && !this.#isPumpPlanned && !this.#ownWrites.isAwaited
    );
  }

  /** What is in work is finished. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.#queue.close();
    this.#ownWrites.clear();
    for (const end of this.#unsubscribe) end();
    await Promise.all(this.#turns);
    await Promise.all(this.#held.map(({ release }) => release()));
    this.#queueMetrics.end();
  }

  async #start(): Promise<void> {
    await Promise.all(this.#held.map(({ informer }) => informer.whenReady()));
    if (this.#state !== 'starting') return;
    this.#state = 'running';
    this.#planPump();
  }

  #watch(watched: Watched, informers: InformerSet): void {
    const { kind, metadataOnly = false, fieldSelector, indexes = {} } = watched;
    const held = informers.hold(kind, { metadataOnly, fieldSelector, indexes });
    this.#held.push(held);
    // Who watches a kind twice reads the fuller of the two.
    if (!metadataOnly || !this.#informers.has(kindText(kind))) this.#informers.set(kindText(kind), held.informer);
    this.#unsubscribe.push(held.informer.subscribe((now, old, isLive) => this.#changed(watched, now, old, isLive)));
  }

  #changed(
    { concerns, kind }: Watched,
    now: ReadonlyObject | undefined,
    old: ReadonlyObject | undefined,
    isLive: boolean,
  ): void {
    if (this.#ownWrites.isAwaited) this.#planPump();
    try {
      for (const key of concerns(now, old)) this.#queue.add(keyText(key), isLive ? 'now' : 'later');
    } catch (error) {
      this.#metrics.panics.add();
      const { namespace, name } = (now ?? old)?.metadata ?? {};
      this.#logger.error('nobody knows whom a change concerns', { kind: kind.kind, namespace, name, error });
    }
  }

  /** In the next turn of the event loop, so that changes that come together are one turn of the controller. */
  #planPump(): void {
    if (this.#isPumpPlanned || this.#state !== 'running') return;
    this.#isPumpPlanned = true;
    setImmediate(() => this.#pump());
  }

  #pump(): void {
    this.#isPumpPlanned = false;
    if (this.#state !== 'running') return;
    this.#ownWrites.look();
    const { workers = 1 } = this.#controller;
    while (this.#turns.size < workers) {
      const key = this.#queue.take();
      if (key === undefined) return;
      if (this.#ownWrites.areSeen(key)) this.#begin(key);
      else this.#queue.done(key);
    }
  }

  #begin(key: string): void {
    this.#metrics.activeWorkers.add();
    const turn = this.#turn(key).then(() => {
      this.#metrics.activeWorkers.add(-1);
      this.#turns.delete(turn);
      this.#queue.done(key);
      if (this.#queue.depth > 0) this.#planPump();
    });
    this.#turns.add(turn);
  }

  async #turn(key: string): Promise<void> {
    const { clock } = this.#surroundings;
    const startedAt = clock.now();
    let result: TurnResult;
    try {
      const comeBackAfterMs = await this.#act(key);
      this.#queue.forget(key);
      if (comeBackAfterMs !== undefined) this.#queue.addAfter(key, comeBackAfterMs);
      result = comeBackAfterMs === undefined ? 'success' : 'requeue_after';
    } catch (error) {
      result = this.#failed(key, error);
    }
    this.#metrics.results[result].add();
    this.#metrics.seconds.observe((clock.now() - startedAt) / 1000);
  }

  /** Observe, decide, write. */
  async #act(key: string): Promise<number | undefined> {
    const { client, clock, events } = this.#surroundings;
    const { name, observe, fieldManager = name, eventSource = name } = this.#controller;
    const state = observe(keyFromText(key), this.#cache);
    if (state === undefined) return undefined;

    const plan = this.#controller.decide(state, new Date(clock.now()));
    const { written, failure } = await performPlan(plan, { client, cache: this.#cache, fieldManager });
    this.#ownWrites.add(key, written);
    if (failure !== undefined) throw failure;
    for (const event of plan.events ?? []) events?.record(event, eventSource);
    return plan.comeBackAfterMs;
  }

  #failed(key: string, error: unknown): TurnResult {
    const disposition = dispositionOf(error);
    this.#report(key, error, disposition);
    switch (disposition.kind) {
      case 'wait-for-change':
        this.#metrics.terminalErrors.add();
        this.#queue.forget(key);
        return 'error';
      case 'come-back':
        this.#queue.forget(key);
        this.#queue.addAfter(key, disposition.afterMs);
        return 'requeue_after';
      case 'look-again':
        this.#queue.addRateLimited(key);
        return 'requeue';
      case 'back-off':
      case 'back-off-and-alert':
        this.#metrics.errors.add();
        this.#queue.addRateLimited(key);
        return 'error';
    }
  }

  /** Each failure once, as loud as somebody should care. */
  #report(key: string, error: unknown, disposition: Disposition): void {
    const message = error instanceof Error ? error.message : String(error);
    switch (disposition.kind) {
      case 'wait-for-change':
        return this.#logger.info('the user must act', { key, reason: disposition.reason, message });
      case 'come-back':
      case 'look-again':
        return this.#logger.debug('not yet', { key, message });
      case 'back-off':
        this.#lastFailure = { key, message, at: new Date(this.#surroundings.clock.now()) };
        return this.#logger.warn('turn failed', { key, message, failures: this.#queue.failuresOf(key) + 1 });
      case 'back-off-and-alert':
        this.#lastFailure = { key, message, at: new Date(this.#surroundings.clock.now()) };
        this.#metrics.panics.add();
        return this.#logger.error('turn failed', { key, error, failures: this.#queue.failuresOf(key) + 1 });
    }
  }
}
