import { batchMetrics, openEngine, processMetrics, type Clock, type StorageEngine } from '@flotilla/apiserver';
import { MetricsRegistry, type Logger } from '@flotilla/kube';

export interface ObservedEngine {
  readonly engine: StorageEngine;
  readonly metrics: MetricsRegistry;
  /** Whether the disk took the last batch that it was given. */
  readonly isStoreWell: () => boolean;
}

interface EngineOptions {
  /** Nothing is kept without one. */
  readonly directory: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The storage of a process, with the figures that it and the process give about themselves. */
export async function observedEngine({ directory, clock, logger }: EngineOptions): Promise<ObservedEngine> {
  const metrics = new MetricsRegistry();
  processMetrics(metrics);
  const observe = batchMetrics(metrics);
  let isWell = true;
  const engine = await openEngine(directory === undefined ? { memory: true } : { directory }, {
    clock,
    report: (batch) => {
      observe(batch);
      if (!batch.isDurable) logger.error('the disk refused a batch', { events: batch.events, seconds: batch.seconds });
      isWell = batch.isDurable;
    },
  });
  return { engine, metrics, isStoreWell: () => isWell };
}
