import type { Client } from '@flotilla/client';
import { keyText, type Logger, type MetricsRegistry } from '@flotilla/kube';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { Controller, Watched } from './controller.ts';
import type { EventRecorder } from './events/event-recorder.ts';
import { InformerCache, kindText } from './informer-cache.ts';
import type { HeldInformer, InformerSet } from './informer/informer-set.ts';
import type { Informer } from './informer/informer.ts';
import { keyFromText } from './informer/object-key.ts';
import type { ReadonlyObject } from './informer/object-source.ts';
import { OwnWrites } from './own-writes.ts';
import { performPlan } from './perform-plan.ts';
import type { RetryLimits } from './queue/retry-limiter.ts';
import { WorkLoop, type Failure } from './work-loop.ts';

export interface ControllerSurroundings {
  readonly client: Client;
  readonly informers: InformerSet;
  readonly clock: Clock;
  readonly turns: LoopTurns;
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
  readonly lastFailure?: Failure;
}

/** One controller at work: changes become keys, and each key's turn observes, decides and writes. */
export class RunningController {
  readonly #controller: Controller;
  readonly #surroundings: ControllerSurroundings;
  readonly #logger: Logger;
  readonly #loop: WorkLoop;
  readonly #held: HeldInformer[] = [];
  readonly #informers = new Map<string, Informer>();
  readonly #cache = new InformerCache(this.#informers);
  readonly #ownWrites: OwnWrites;
  readonly #unsubscribe: (() => void)[] = [];
  /** When all that it watches has been seen. */
  readonly ready: Promise<void>;

  constructor(controller: Controller, surroundings: ControllerSurroundings) {
    const { name, watches, workers } = controller;
    const { clock, turns, metrics, informers, logger, retryLimits } = surroundings;
    this.#controller = controller;
    this.#surroundings = surroundings;
    this.#logger = logger.with({ controller: name });
    this.#loop = new WorkLoop({
      name,
      clock,
      turns,
      logger: this.#logger,
      metrics,
      workers,
      retryLimits,
      turn: (key) => this.#reconcile(key),
      mayBegin: (key) => this.#ownWrites.areSeen(key),
    });
    this.#ownWrites = new OwnWrites({
      informerOf: (kind) => this.#cache.find(kind),
      clock,
      turns,
      onSeen: (key) => this.#loop.add(key),
    });
    for (const watched of watches) this.#watch(watched, informers);
    this.ready = this.#start();
  }

  health(): ControllerHealth {
    const { isRunning, counts, failing, lastFailure } = this.#loop;
    return {
      name: this.#controller.name,
      isReady: isRunning,
      trouble: [...this.#informers].flatMap(([kind, { trouble }]) => (trouble ? [`${kind}: ${trouble}`] : [])),
      ...counts,
      failing,
      ...(lastFailure && { lastFailure }),
    };
  }

  /** Nothing to do before something changes or time passes. */
  get isAtRest(): boolean {
    return this.#loop.isAtRest && !this.#ownWrites.isAwaited;
  }

  /** What is in work is finished. */
  async stop(): Promise<void> {
    for (const end of this.#unsubscribe) end();
    this.#ownWrites.stop();
    await this.#loop.stop();
    await Promise.all(this.#held.map(({ release }) => release()));
  }

  async #start(): Promise<void> {
    await Promise.all(this.#held.map(({ informer }) => informer.whenReady()));
    this.#loop.start();
  }

  #watch(watched: Watched, informers: InformerSet): void {
    const { kind, metadataOnly = false, fieldSelector, indexes = {} } = watched;
    const held = informers.hold(kind, { metadataOnly, fieldSelector, indexes });
    this.#held.push(held);
    // A controller that watches a kind twice reads the fuller of the two.
    if (!metadataOnly || !this.#informers.has(kindText(kind))) this.#informers.set(kindText(kind), held.informer);
    this.#unsubscribe.push(held.informer.subscribe((now, old, isLive) => this.#changed(watched, now, old, isLive)));
  }

  #changed(
    { concerns, kind }: Watched,
    now: ReadonlyObject | undefined,
    old: ReadonlyObject | undefined,
    isLive: boolean,
  ): void {
    this.#ownWrites.informersChanged();
    try {
      for (const key of concerns(now, old)) this.#loop.add(keyText(key), isLive ? 'now' : 'later');
    } catch (error) {
      this.#loop.countPanic();
      const { namespace, name } = (now ?? old)?.metadata ?? {};
      this.#logger.error('concerns threw, change ignored', { kind: kind.kind, namespace, name, error });
    }
  }

  /** Observe, decide, write. */
  async #reconcile(key: string): Promise<number | undefined> {
    const { client, clock, events } = this.#surroundings;
    const { name, observe, fieldManager = name, eventSource = name } = this.#controller;
    const state = observe(keyFromText(key), this.#cache);
    if (state === undefined) return undefined;

    const plan = this.#controller.decide(state, new Date(clock.now()));
    const { written, failure } = await performPlan(plan, { client, cache: this.#cache, fieldManager });
    this.#ownWrites.add(key, written);
    if (failure !== undefined) throw failure;
    for (const event of plan.events ?? []) events?.record(event, eventSource);
    return plan.requeueAfterMs;
  }
}
