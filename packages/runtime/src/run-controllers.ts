import type { Client } from '@flotilla/client';
import { MetricsRegistry, silentLogger, type Logger } from '@flotilla/kube';
import { LoopTurns, type Clock } from '@flotilla/timing';
import type { Controller } from './controller.ts';
import type { EventRecorder } from './events/event-recorder.ts';
import { InformerSet } from './informer/informer-set.ts';
import type { RetryLimits } from './queue/retry-limiter.ts';
import { RunningController, type ControllerHealth } from './running-controller.ts';

export interface RunOptions {
  readonly client: Client;
  readonly controllers: readonly Controller[];
  readonly clock: Clock;
  /** Of the thread; default: its own. */
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1): spreads those who would otherwise all come back at the same moment. */
  readonly random: () => number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** Without it, events of plans are not recorded. */
  readonly events?: EventRecorder;
  /** Shared with others of the process; absent: the controllers' own. */
  readonly informers?: InformerSet;
  /** Of the informers' own: namespaced kinds are looked at in this namespace only. */
  readonly namespace?: string;
  readonly retryLimits?: RetryLimits;
}

export interface RunningControllers {
  /** When every controller has seen all that it watches. Pending while a kind is not served. */
  readonly ready: Promise<void>;
  readonly health: () => readonly ControllerHealth[];
  /** Nothing to do before something changes or time passes. */
  readonly isAtRest: () => boolean;
  /** Finishes what is in work, and begins nothing more. */
  readonly stop: () => Promise<void>;
}

/** Starts controllers, each on its own: one that waits, fails or throws does not hold up the others. */
export function runControllers(options: RunOptions): RunningControllers {
  const { client, controllers, clock, random, namespace, events, retryLimits } = options;
  const { logger = silentLogger, metrics = new MetricsRegistry(), turns = new LoopTurns() } = options;
  const informers = options.informers ?? new InformerSet({ client, clock, turns, random, logger, namespace });
  const surroundings = { client, informers, clock, turns, logger, metrics, events, retryLimits };
  const running = controllers.map((controller) => new RunningController(controller, surroundings));
  return {
    ready: Promise.all(running.map(({ ready }) => ready)).then(() => {}),
    health: () => running.map((controller) => controller.health()),
    isAtRest: () => running.every(({ isAtRest }) => isAtRest),
    stop: async () => {
      await Promise.all(running.map((controller) => controller.stop()));
    },
  };
}
