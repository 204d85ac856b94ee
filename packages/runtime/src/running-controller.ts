import type { Client } from '@flotilla/client';
import {
  ApiError,
  isAlreadyExists,
  isConflict,
  keyText,
  type Kind,
  type LogFields,
  type Logger,
  type MetricsRegistry,
} from '@flotilla/kube';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { Controller, Watched } from './controller.ts';
import type { EventRecorder } from './events/event-recorder.ts';
import { UserError } from './failures.ts';
import { InformerCache, kindText } from './informer-cache.ts';
import type { HeldInformer, InformerSet } from './informer/informer-set.ts';
import type { Informer } from './informer/informer.ts';
import { keyFromText } from './informer/object-key.ts';
import type { ObjectChange, Outlined, ReadonlyObject } from './informer/object-source.ts';
import { OwnWrites } from './own-writes.ts';
import { performPlan } from './perform-plan.ts';
import type { Plan } from './plan.ts';
import type { RetryLimits } from './queue/retry-limiter.ts';
import { WorkLoop, type Failure } from './work-loop.ts';
import type { WriteSlots } from './write-slots.ts';

export interface ControllerDependencies {
  readonly client: Client;
  readonly informers: InformerSet;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly events?: EventRecorder | undefined;
  readonly retryLimits?: RetryLimits | undefined;
  readonly slots: WriteSlots;
}

export interface ControllerHealth {
  readonly name: string;
  /** Whether its informers have synced. */
  readonly isReady: boolean;
  /** Errors of its informers, by kind. */
  readonly informerFailures: readonly string[];
  /** Numbers of keys: ready, in work, delayed by a timer, failed at their last reconcile. */
  readonly waiting: number;
  readonly inWork: number;
  readonly delayed: number;
  readonly failing: number;
  readonly lastFailure?: Failure;
}

/** A running controller: changes become keys, and the reconcile of a key observes, decides and writes. */
export class RunningController {
  readonly #controller: Controller;
  readonly #dependencies: ControllerDependencies;
  readonly #logger: Logger;
  readonly #loop: WorkLoop;
  readonly #held: HeldInformer[] = [];
  readonly #informers = new Map<string, Informer>();
  readonly #cache = new InformerCache(this.#informers);
  readonly #ownWrites: OwnWrites;
  readonly #unsubscribe: (() => void)[] = [];
  /** Resolves when its informers have synced. */
  readonly ready: Promise<void>;

  constructor(controller: Controller, dependencies: ControllerDependencies) {
    const { name, watches, sources = [], workers, metricsPrefix, observer } = controller;
    const { clock, turns, metrics, informers, logger, retryLimits } = dependencies;
    this.#controller = controller;
    this.#dependencies = dependencies;
    this.#logger = logger.with({ controller: name });
    this.#loop = new WorkLoop({
      name,
      clock,
      turns,
      logger: this.#logger,
      metrics,
      metricsPrefix,
      workers,
      retryLimits,
      observer,
      turn: (key) => this.#reconcile(key),
      mayBegin: (key) => this.#ownWrites.areSeen(key),
    });
    this.#ownWrites = new OwnWrites({
      informerOf: (kind) => this.#cache.find(kind),
      clock,
      turns,
      onSeen: (key) => this.#loop.add(key),
    });
    const followed = watches.map((watched) => ({ watched, informer: this.#hold(watched, informers) }));
    // Only now: existing objects are reported at once, and `concerns` may read all watched kinds.
    for (const { watched, informer } of followed) this.#subscribe(watched, informer);
    for (const source of sources) this.#unsubscribe.push(source.subscribe((key) => this.#loop.add(keyText(key))));
    this.ready = this.#start();
  }

  health(): ControllerHealth {
    const { isRunning, counts, failing, lastFailure } = this.#loop;
    return {
      name: this.#controller.name,
      isReady: isRunning,
      informerFailures: [...this.#informers].flatMap(([kind, { failure }]) => (failure ? [`${kind}: ${failure}`] : [])),
      ...counts,
      failing,
      ...(lastFailure && { lastFailure }),
    };
  }

  /** True if there is no work before a change or a timer. */
  get isAtRest(): boolean {
    const { sources = [] } = this.#controller;
    return this.#loop.isAtRest && !this.#ownWrites.isAwaited && sources.every((source) => source.isAtRest());
  }

  /** Reports a change of its first kind that woke it, and that its informers have seen already. */
  changed(change: ObjectChange): void {
    const [first] = this.#controller.watches;
    if (first !== undefined) this.#changed(first, change.now(), change.old(), change.isLive);
  }

  /** Waits for the keys in work. */
  async stop(): Promise<void> {
    for (const end of this.#unsubscribe) end();
    this.#ownWrites.stop();
    await this.#loop.stop();
    await Promise.all(this.#held.map(({ release }) => release()));
    for (const source of this.#controller.sources ?? []) await source.stop?.();
  }

  async #start(): Promise<void> {
    await Promise.all(this.#held.map(({ informer }) => informer.whenReady()));
    this.#loop.start();
  }

  #hold(
    { kind, metadataOnly = false, keepsMetadata = false, fieldSelector, indexes = {} }: Watched,
    informers: InformerSet,
  ): Informer {
    const held = informers.hold(kind, { metadataOnly, keepsMetadata, fieldSelector, indexes });
    this.#held.push(held);
    // A controller that watches a kind twice reads the informer with whole objects.
    if (!metadataOnly || !this.#informers.has(kindText(kind))) this.#informers.set(kindText(kind), held.informer);
    return held.informer;
  }

  #subscribe(watched: Watched, informer: Informer): void {
    const { existing, kind } = watched;
    this.#unsubscribe.push(
      informer.subscribe(
        (now, old, isLive) => this.#changed(watched, now, old, isLive),
        existing && ((found) => this.#found(existing, kind, found)),
      ),
    );
  }

  #found(existing: NonNullable<Watched['existing']>, { kind }: Kind, found: Outlined): void {
    this.#ownWrites.informersChanged();
    try {
      for (const key of existing(found)) this.#loop.add(keyText(key), 'later');
    } catch (error) {
      this.#countIgnored('existing threw, object ignored', { kind, ...found.key, error });
    }
  }

  #changed(
    { concerns, kind, afterMs }: Watched,
    now: ReadonlyObject | undefined,
    old: ReadonlyObject | undefined,
    isLive: boolean,
  ): void {
    this.#ownWrites.informersChanged();
    try {
      for (const key of concerns(now, old, this.#cache)) {
        if (!isLive) this.#loop.add(keyText(key), 'later');
        else this.#loop.addAfter(keyText(key), afterMs?.(key, this.#cache) ?? 0);
      }
    } catch (error) {
      const { namespace, name } = (now ?? old)?.metadata ?? {};
      this.#countIgnored('concerns threw, change ignored', { kind: kind.kind, namespace, name, error });
    }
  }

  #countIgnored(message: string, fields: LogFields): void {
    this.#loop.countPanic();
    this.#logger.error(message, fields);
  }

  async #reconcile(key: string): Promise<number | undefined> {
    const state = this.#controller.observe(keyFromText(key), this.#cache);
    if (state === undefined) return undefined;

    const plan = this.#controller.decide(state, new Date(this.#dependencies.clock.now()));
    if (plan.steps.length === 0 && plan.events === undefined) return plan.requeueAfterMs;
    const failure = await this.#perform(key, plan);
    if (failure === undefined) return plan.requeueAfterMs;
    if (plan.refused === undefined || !isRefusal(failure)) throw failure;
    const refusal = plan.refused(failure);
    await this.#perform(key, refusal);
    throw refusal.awaitsChange === true ? new UserError('Refused', failure.message) : failure;
  }

  /** Returns why the plan ended before its last step. */
  #perform(key: string, plan: Plan): Promise<Error | undefined> {
    const { client, slots, events: recorder } = this.#dependencies;
    const { name, fieldManager, eventSource = name } = this.#controller;
    return performPlan(plan, { client, cache: this.#cache, fieldManager, slots }).then(
      ({ written, events, failure }) => {
        this.#ownWrites.add(key, written);
        for (const event of events) recorder?.record(event, eventSource);
        if (failure !== undefined) return failure;
        for (const event of plan.events ?? []) recorder?.record(event, eventSource);
        return undefined;
      },
    );
  }
}

/** A lost race is none: the next reconcile decides anew. */
function isRefusal(failure: Error): failure is ApiError {
  return failure instanceof ApiError && !isConflict(failure) && !isAlreadyExists(failure);
}
