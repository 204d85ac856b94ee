import { batchMetrics, openEngine, processMetrics, type StorageEngine } from '@flotilla/apiserver';
import { MetricsRegistry, type Logger } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';

export interface ObservedEngine {
  readonly engine: StorageEngine;
  readonly metrics: MetricsRegistry;
  /** Whether the disk took the last batch that it was given. */
  readonly isStoreHealthy: () => boolean;
  /** Whether the disk is full: only deletes and what makes nothing larger are stored. */
  readonly isDiskFull: () => boolean;
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
  let isFull = false;
  const engine = await openEngine(directory === undefined ? { memory: true } : { directory }, {
    clock,
    report: (batch) => {
      observe(batch);
      if (!batch.isDurable) logger.error('the disk refused a batch', { events: batch.events, seconds: batch.seconds });
      isWell = batch.isDurable;
    },
    spaceChanged: (isFullNow) => {
      isFull = isFullNow;
      if (isFull) logger.error('disk full, storing only deletes and what makes nothing larger', { directory });
      else logger.warn('disk has room again, storing all writes', { directory });
    },
  });
  return { engine, metrics, isStoreHealthy: () => isWell, isDiskFull: () => isFull };
}
