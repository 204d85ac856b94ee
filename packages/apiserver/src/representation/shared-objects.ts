import type { KubeObject } from '@flotilla/kube';
import type { Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';
import { isServedAsStored, readEntryNow } from './represent.ts';

/** The decoded objects of one version of a kind, shared by all views while any of them uses the object. */
class SharedObjects {
  readonly #objects = new WeakMap<Entry, WeakRef<KubeObject>>();
  /** Falls with each shared write and rises with each read: writes that no view reads are not worth their memory. */
  demand = 0;

  get(entry: Entry): KubeObject | undefined {
    return this.#objects.get(entry)?.deref();
  }

  set(entry: Entry, object: KubeObject): void {
    this.#objects.set(entry, new WeakRef(object));
    if (entry.bytes.length <= maxKeptBytes) latest[next++ % latest.length] = object;
  }
}

/** Each version of a kind has its own resource, and decodes an entry differently. */
const shared = new WeakMap<Resource, SharedObjects>();

/**
 * The objects that were decoded last, so that they live as long as the turns of the controllers that read them one after
 * another. Without it the next collection of garbage takes them.
 */
const latest: (KubeObject | undefined)[] = Array.from({ length: 256 });
let next = 0;

/** Larger objects would take too much memory. */
const maxKeptBytes = 16_384;

/** So many writes are shared after a read. Any further one waits until a view reads the kind again. */
const writesForRead = 16;

export function sharedObject(resource: Resource, entry: Entry): Readonly<KubeObject> {
  let objects = shared.get(resource);
  if (!objects) shared.set(resource, (objects = new SharedObjects()));
  objects.demand = writesForRead;
  const known = objects.get(entry);
  if (known) return known;
  const object = readEntryNow(resource, entry);
  objects.set(entry, object);
  return object;
}

/** The object of an entry, if it is shared. Must not be changed. */
export function knownObject(resource: Resource, entry: Entry): KubeObject | undefined {
  return shared.get(resource)?.get(entry);
}

/**
 * Shares the object from which an entry was encoded, so that its first reader need not parse it. The caller must not change it again.
 * Keeps nothing of kinds that no view reads: on most servers these are most kinds. An object that is kept moves to the old
 * generation, with the body of its request, and costs a tenth of the write.
 */
export function shareWritten(resource: Resource, entry: Entry, object: KubeObject): void {
  const objects = shared.get(resource);
  if (!objects || objects.demand === 0) return;
  if (entry.bytes.length > maxKeptBytes || !isServedAsStored(resource, entry)) return;
  objects.demand--;
  objects.set(entry, object);
}
