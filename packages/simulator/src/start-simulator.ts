import type { Client } from '@flotilla/client';
import type { Logger, MetricsRegistry } from '@flotilla/kube';
import { EventRecorder, runControllers, type RunningControllers } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { defaultBehaviour, type WorkloadBehaviour } from './behaviour/workload-behaviour.ts';
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
  /** Default: every image becomes ready, except `random-image-name`. */
  readonly behaviour?: WorkloadBehaviour | undefined;
}

export interface RunningSimulator {
  /** Whether it has nothing to do until an object changes or time passes. */
  readonly isAtRest: () => boolean;
  /** Looks at all objects anew: pods that run can become unready, and the reverse. */
  readonly setBehaviour: (behaviour: WorkloadBehaviour) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Simulates the workloads of a cluster. Resolves when its informers have synced. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const { client, clock, turns, random, logger, runsPods = true, behaviour = defaultBehaviour } = options;
  const events = new EventRecorder({ client, clock, turns, random, ...(logger && { logger }) });
  const run = (next: WorkloadBehaviour): RunningControllers => {
    const controllers = [...workloadControllers(next, clock), ...(runsPods ? podControllers(next, clock) : [])];
    return runControllers({ ...options, events, controllers, sleepsWithoutObjects: true });
  };
  let running = run(behaviour);
  let changes = running.ready;
  let isStopped = false;
  await running.ready;
  return {
    isAtRest: () => running.isAtRest() && events.isAtRest,
    setBehaviour: (next) => {
      changes = changes.then(async () => {
        if (isStopped) return;
        await running.stop();
        running = run(next);
        await running.ready;
      });
      return changes;
    },
    stop: async () => {
      isStopped = true;
      await changes;
      await running.stop();
      await events.stop();
    },
  };
}
