import type { Client } from '@flotilla/client';
import type { Logger, MetricsRegistry } from '@flotilla/kube';
import { runControllers } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { simulatedLives } from './workloads/controllers.ts';

export interface SimulatorOptions {
  /** Of the cluster that is to look alive. */
  readonly client: Client;
  readonly clock: Clock;
  /** Of the thread; default: its own. */
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
}

export interface RunningSimulator {
  /** Nothing to do before something changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Gives the workloads of a cluster a life. It is ready when all of them are seen. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const running = runControllers({ ...options, controllers: simulatedLives() });
  await running.ready;
  return { isAtRest: running.isAtRest, stop: running.stop };
}
