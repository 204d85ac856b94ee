import { formatTime, nextGeneration, sortedCopy, type KubeObject } from '@flotilla/kube';
import { decodeStored, encoderOf } from '../../resources/object-bytes.ts';
import type { Server } from '../../call/server.ts';
import { StoreConflict, type Entry, type Store, type Write } from '../../store/store.ts';

/** Concurrent deletes share disk syncs. */
const maxConcurrentDeletes = 64;

/**
 * Deletes all objects of a collection without admission and without conversion webhooks: no client will read them in
 * another version. Objects with finalizers get a deletionTimestamp and are deleted when their finalizers are removed.
 */
export async function deleteInstances(
  { store, now, turns }: Pick<Server, 'store' | 'now' | 'turns'>,
  collection: string,
): Promise<void> {
  const time = now();
  let pending: Promise<void>[] = [];
  for (const entry of store.snapshot().range(collection, '')) {
    const write = removalOf(entry, time);
    if (write) pending.push(ignoringConflict(store.write([write])));
    if (pending.length >= maxConcurrentDeletes) {
      await Promise.all(pending);
      pending = [];
    }
    if (turns.isOverAfter(entry.bytes.length)) await turns.next();
  }
  await Promise.all(pending);
}

function removalOf({ key, header, bytes, revision }: Entry, now: Date): Write | undefined {
  const object = decodeStored(bytes);
  if ((header.finalizers ?? []).length === 0) {
    return { verb: 'delete', key, expected: revision, encode: encoderOf(object) };
  }
  if (header.deletionTimestamp !== undefined) return undefined;
  const marked = withDeletionTime(object, formatTime(now));
  const deletionTimestamp = marked.metadata.deletionTimestamp ?? '';
  return { verb: 'put', key, expected: revision, header: { ...header, deletionTimestamp }, encode: encoderOf(marked) };
}

function withDeletionTime(object: KubeObject, deletionTimestamp: string): KubeObject {
  const generation = nextGeneration(object.metadata);
  const metadata = { ...object.metadata, generation, deletionTimestamp, deletionGracePeriodSeconds: 0 };
  return sortedCopy({ ...object, metadata }) as KubeObject;
}

/** An object that changes meanwhile stays; then `untilEmpty` does not find the collection empty. */
async function ignoringConflict(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
  }
}

/** Resolves with true when the collection is empty, with false after the timeout. */
export function untilEmpty(
  store: Store,
  collection: string,
  after: (milliseconds: number, call: () => void) => () => void,
  timeoutMs: number,
): Promise<boolean> {
  if (store.count(collection) === 0) return Promise.resolve(true);
  const cursor = store.watch({ collection, prefix: '' }, store.revision);
  return new Promise((resolve) => {
    const finish = (isEmpty: boolean): void => {
      cancel();
      if (cursor !== 'compacted') cursor.close();
      resolve(isEmpty);
    };
    const cancel = after(timeoutMs, () => finish(store.count(collection) === 0));
    const check = (): void => {
      if (store.count(collection) === 0) return finish(true);
      if (cursor === 'compacted') return finish(false);
      for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
        if (event === 'compacted') return finish(false);
      }
      cursor.onReady(check);
    };
    check();
  });
}
