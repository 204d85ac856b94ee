import { setFlagsFromString } from 'node:v8';

/** A heap of this size may grow by less until the next collection, in percent. */
const percentWhenLarge = 40;

interface HeapGrowthOptions {
  /** Of the process, with what is not in its heaps. */
  readonly largeBytes?: number;
  readonly checkMs?: number;
  readonly setFlags?: (flags: string) => void;
}

/**
 * The launcher lets the heaps of a fleet double between two collections, which takes the least time. Once the process is large, half of
 * that is gigabytes of garbage, so heaps grow in smaller steps from then on. V8 reads the flag at each collection, in all threads.
 */
export function limitHeapGrowth(options: HeapGrowthOptions = {}): void {
  const { largeBytes = 3 * 1024 ** 3, checkMs = 5_000, setFlags = setFlagsFromString } = options;
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() < largeBytes) return;
    clearInterval(timer);
    setFlags(`--heap-growing-percent=${percentWhenLarge}`);
  }, checkMs);
  timer.unref();
}
