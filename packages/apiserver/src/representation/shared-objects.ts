import type { KubeObject } from '@flotilla/kube';
import type { Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';
import { isServedAsStored, readEntryNow } from './represent.ts';

/**
 * Decoded objects, shared by all views while any of them uses the object. Each version of a kind has its own resource, and
 * decodes an entry differently.
 */
const shared = new WeakMap<Resource, WeakMap<Entry, WeakRef<KubeObject>>>();

/**
 * The objects that were decoded last, so that they live as long as the turns of the controllers that read them one after
 * another. Without it the next collection of garbage takes them.
 */
const latest: (KubeObject | undefined)[] = Array.from({ length: 256 });
let next = 0;

/** Larger objects would take too much memory. */
const maxKeptBytes = 16_384;

export function sharedObject(resource: Resource, entry: Entry): Readonly<KubeObject> {
  const known = shared.get(resource)?.get(entry)?.deref();
  if (known) return known;
  const object = readEntryNow(resource, entry);
  share(resource, entry, object);
  return object;
}

/**
 * Shares the object from which an entry was encoded, so that its first reader need not parse it. The caller must not change it again.
 * Keeps nothing of kinds that no view has read yet: on most servers these are most kinds, and kept objects cost a tenth of a write.
 */
export function shareWritten(resource: Resource, entry: Entry, object: KubeObject): void {
  if (shared.has(resource) && entry.bytes.length <= maxKeptBytes && isServedAsStored(resource, entry))
    share(resource, entry, object);
}

function share(resource: Resource, entry: Entry, object: KubeObject): void {
  let objects = shared.get(resource);
  if (!objects) shared.set(resource, (objects = new WeakMap()));
  objects.set(entry, new WeakRef(object));
  if (entry.bytes.length <= maxKeptBytes) latest[next++ % latest.length] = object;
}
