import type { Client } from '@flotilla/client';
import type { Logger, MetricsRegistry } from '@flotilla/kube';
import { EventRecorder, runControllers } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { podControllers, workloadControllers } from './controllers.ts';

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
  /** Whether it also acts as scheduler and kubelets. Without them, the caller assigns pods to nodes and writes their status. Default: true. */
  readonly runsPods?: boolean;
}

export interface RunningSimulator {
  /** Whether it has nothing to do until an object changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Simulates the workloads of a cluster. Resolves when its informers have synced. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const { client, clock, random, logger, runsPods = true } = options;
  const events = new EventRecorder({ client, clock, random, ...(logger && { logger }) });
  const controllers = [...workloadControllers, ...(runsPods ? podControllers : [])];
  const running = runControllers({ ...options, events, controllers });
  await running.ready;
  return {
    isAtRest: () => running.isAtRest() && events.isAtRest,
    stop: async () => {
      await running.stop();
      await events.stop();
    },
  };
}
