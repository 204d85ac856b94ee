import { batchMetrics, openEngine, processMetrics, type StorageEngine } from '@flotilla/apiserver';
import { MetricsRegistry, type Logger } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';

export interface ObservedEngine {
  readonly engine: StorageEngine;
  readonly metrics: MetricsRegistry;
  /** Whether the last batch was written to disk. */
  readonly isStoreHealthy: () => boolean;
  /** Whether the disk is full: then only deletes, and updates that make nothing larger, are stored. */
  readonly isDiskFull: () => boolean;
}

interface EngineOptions {
  /** Undefined: in memory. */
  readonly directory: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The store to begin with, while others are loaded. Default: none. */
  readonly firstStore?: string;
}

/** Opens the storage of a process, with metrics of the storage and of the process. */
export async function observedEngine(options: EngineOptions): Promise<ObservedEngine> {
  const { directory, clock, logger, firstStore } = options;
  const metrics = new MetricsRegistry();
  processMetrics(metrics);
  const observe = batchMetrics(metrics);
  let isWell = true;
  let isFull = false;
  const engine = await openEngine(directory === undefined ? { memory: true } : { directory }, {
    clock,
    firstStore,
    report: (batch) => {
      observe(batch);
      if (!batch.isDurable) logger.error('batch not written to disk', { events: batch.events, seconds: batch.seconds });
      isWell = batch.isDurable;
    },
    spaceChanged: (isFullNow) => {
      isFull = isFullNow;
      if (isFull) logger.error('disk full, accepting only deletes and updates that make nothing larger', { directory });
      else logger.warn('disk has space again, accepting all writes', { directory });
    },
  });
  return { engine, metrics, isStoreHealthy: () => isWell, isDiskFull: () => isFull };
}
