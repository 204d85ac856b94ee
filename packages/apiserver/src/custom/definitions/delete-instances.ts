import { formatTime, nextGeneration, sortedCopy, type KubeObject } from '@flotilla/kube';
import { decodeStored, encoderOf } from '../../resources/object-bytes.ts';
import type { Server } from '../../call/server.ts';
import { StoreConflict, type Entry, type Store, type Write } from '../../store/store.ts';

/** So many deletes are under way at once: they share syncs of the disk. */
const atOnce = 64;

/**
 * Deletes everything in a collection without asking anybody: not admission, and no webhook either, since nobody will read
 * the objects in another version again. Objects with finalizers are marked, and go when these are done.
 */
export async function deleteInstances(
  { store, now, turns }: Pick<Server, 'store' | 'now' | 'turns'>,
  collection: string,
): Promise<void> {
  const time = now();
  let pending: Promise<void>[] = [];
  for (const entry of store.snapshot().range(collection, '')) {
    const write = removalOf(entry, time);
    if (write) pending.push(unlessOutrun(store.write([write])));
    if (pending.length >= atOnce) {
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

/** Who changes an object at that moment is noticed when the collection is found not to be empty. */
async function unlessOutrun(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
  }
}

/** Resolves with true when the collection is empty, with false when that takes too long. */
export function untilEmpty(
  store: Store,
  collection: string,
  after: (milliseconds: number, call: () => void) => () => void,
  patienceMs: number,
): Promise<boolean> {
  if (store.count(collection) === 0) return Promise.resolve(true);
  const cursor = store.watch({ collection, prefix: '' }, store.revision);
  return new Promise((resolve) => {
    const finish = (isEmpty: boolean): void => {
      cancel();
      if (cursor !== 'compacted') cursor.close();
      resolve(isEmpty);
    };
    const cancel = after(patienceMs, () => finish(store.count(collection) === 0));
    const look = (): void => {
      if (store.count(collection) === 0) return finish(true);
      if (cursor === 'compacted') return finish(false);
      for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
        if (event === 'compacted') return finish(false);
      }
      cursor.onReady(look);
    };
    look();
  });
}
