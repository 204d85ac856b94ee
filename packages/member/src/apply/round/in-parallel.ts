/** Calls for each item, so many at once; results in the order of the items. A failure ends it when what runs has ended. */
export async function inParallel<T, R>(
  items: readonly T[],
  workers: number,
  call: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await call(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(workers, items.length) }, worker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}
