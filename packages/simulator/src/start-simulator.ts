import type { Client } from '@flotilla/client';
import type { Logger, MetricsRegistry } from '@flotilla/kube';
import { runControllers } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { workloadControllers } from './workloads/controllers.ts';

export interface SimulatorOptions {
  /** For the cluster to simulate. */
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
  /** Whether it has nothing to do until an object changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Simulates the workloads of a cluster. Resolves when its informers have synced. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const running = runControllers({ ...options, controllers: workloadControllers() });
  await running.ready;
  return { isAtRest: running.isAtRest, stop: running.stop };
}
