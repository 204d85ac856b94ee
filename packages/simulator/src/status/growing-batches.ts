/** Kubernetes begins with one. A usual workload is created at once, so that its pods become ready together. */
const firstBatch = 8;

/** 8, 16, 32, …: if the server refuses what a workload creates, few writes were requested. */
export function inGrowingBatches<T>(writes: readonly T[]): T[][] {
  const batches: T[][] = [];
  for (let start = 0, size = firstBatch; start < writes.length; start += size, size *= 2) {
    batches.push(writes.slice(start, start + size));
  }
  return batches;
}
