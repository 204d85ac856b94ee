import type { Client } from '@flotilla/client';
import { MetricsRegistry, silentLogger, type Logger } from '@flotilla/kube';
import { LoopTurns, type Clock } from '@flotilla/timing';
import type { Controller } from './controller.ts';
import type { EventRecorder } from './events/event-recorder.ts';
import { InformerSet } from './informer/informer-set.ts';
import type { RetryLimits } from './queue/retry-limiter.ts';
import { RunningController, type ControllerHealth } from './running-controller.ts';
import { SleepingControllers } from './sleeping-controllers.ts';
import { WriteSlots } from './write-slots.ts';

export interface RunOptions {
  readonly client: Client;
  readonly controllers: readonly Controller[];
  readonly clock: Clock;
  /** Shared by all work of the thread. Default: an instance of its own. */
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1): jitter for retries. */
  readonly random: () => number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** Without it, events of plans are not recorded. */
  readonly events?: EventRecorder;
  /** Default: a set of its own. */
  readonly informers?: InformerSet;
  /** Without `informers`: limits namespaced kinds to this namespace. */
  readonly namespace?: string;
  readonly retryLimits?: RetryLimits;
  /**
   * Whether a controller runs only from the first object of its first kind on. Only in process, where that is cheap to find out.
   * Default: false.
   */
  readonly sleepsWithoutObjects?: boolean;
  /** Controllers that sleep have nothing to do for objects up to this revision of the server. */
  readonly restedAt?: number | undefined;
}

export interface RunningControllers {
  /** Resolves when all informers have synced. Pending while a kind is not served. */
  readonly ready: Promise<void>;
  readonly health: () => readonly ControllerHealth[];
  /** True if no controller has work before a change or a timer. */
  readonly isAtRest: () => boolean;
  /** Waits for the keys in work, and takes up no more. */
  readonly stop: () => Promise<void>;
}

/** Starts controllers that do not affect each other: one that waits, fails or throws does not delay the others. */
export function runControllers(options: RunOptions): RunningControllers {
  const { client, controllers, clock, random, namespace, events, retryLimits } = options;
  const { logger = silentLogger, metrics = new MetricsRegistry(), turns = new LoopTurns() } = options;
  const informers = options.informers ?? new InformerSet({ client, clock, turns, random, logger, namespace });
  const slots = new WriteSlots();
  const dependencies = { client, informers, clock, turns, logger, metrics, events, retryLimits, slots };
  const { viewBuiltins } = client;
  if (options.sleepsWithoutObjects === true && viewBuiltins !== undefined) {
    const sleeping = new SleepingControllers(controllers, {
      ...dependencies,
      viewBuiltins,
      random,
      restedAt: options.restedAt,
    });
    return {
      ready: sleeping.ready,
      health: () => sleeping.health(),
      isAtRest: () => sleeping.isAtRest,
      stop: () => sleeping.stop(),
    };
  }
  const running = controllers.map((controller) => new RunningController(controller, dependencies));
  return {
    ready: Promise.all(running.map(({ ready }) => ready)).then(() => {}),
    health: () => running.map((controller) => controller.health()),
    isAtRest: () => running.every(({ isAtRest }) => isAtRest),
    stop: async () => {
      await Promise.all(running.map((controller) => controller.stop()));
    },
  };
}
