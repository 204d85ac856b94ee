/**
 * Calls for each item, with at most `workers` calls at once; results are in the order of the items. Rejects with a
 * failure, after all running calls have ended.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  workers: number,
  call: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  if (items.length < 2) {
    for (const item of items) results.push(await call(item));
    return results;
  }
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await call(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(workers, items.length) }, worker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}
