/** 1, 2, 4, …: if the server refuses what a workload creates, few writes were requested. */
export function inGrowingBatches<T>(writes: readonly T[]): T[][] {
  const batches: T[][] = [];
  for (let start = 0, size = 1; start < writes.length; start += size, size *= 2) {
    batches.push(writes.slice(start, start + size));
  }
  return batches;
}
