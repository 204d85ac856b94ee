import { isReadAsPrinted, type KubeObject } from '@flotilla/kube';
import type { Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';
import { isServedAsStored, readEntryNow } from './read-entry.ts';

/** The decoded objects of one version of a kind, shared by all views. */
class SharedObjects {
  readonly #latest = new Map<Entry, KubeObject>();
  /** Large and older objects: shared until they are collected. */
  readonly #others = new WeakMap<Entry, WeakRef<KubeObject>>();
  /** Falls with each shared write and rises with each read: writes that no view reads are not worth their memory. */
  demand = 0;

  get(entry: Entry): KubeObject | undefined {
    return this.#latest.get(entry) ?? this.#others.get(entry)?.deref();
  }

  set(entry: Entry, object: KubeObject): void {
    if (!isKept(entry)) {
      this.#others.set(entry, new WeakRef(object));
      return;
    }
    this.#latest.set(entry, object);
    latest.add(entry, this);
  }

  /** Lets the object be collected. */
  release(entry: Entry): void {
    const object = this.#latest.get(entry);
    this.#latest.delete(entry);
    if (object) this.#others.set(entry, new WeakRef(object));
  }
}

/** Larger objects would take too much memory. */
const maxKeptBytes = 16_384;

function isKept({ bytes }: Entry): boolean {
  return bytes.length <= maxKeptBytes;
}

/**
 * The entries that were decoded last, so that their objects live as long as the turns of the controllers that read them one after
 * another. Whatever came before them is shared only until it is collected: placements that roll out together read thousands of objects
 * several times, and most of those live longer than that.
 */
class LatestEntries {
  readonly #slots: ({ readonly entry: Entry; readonly objects: SharedObjects } | undefined)[] = Array.from({
    length: 2048,
  });
  #newest = 0;
  #oldest = 0;
  #bytes = 0;

  add(entry: Entry, objects: SharedObjects): void {
    this.#bytes += entry.bytes.length;
    while (this.#bytes > maxLatestBytes || this.#newest - this.#oldest === this.#slots.length) this.#drop();
    this.#slots[this.#newest++ % this.#slots.length] = { entry, objects };
  }

  clear(): void {
    while (this.#oldest < this.#newest) this.#drop();
  }

  #drop(): void {
    const slot = this.#oldest++ % this.#slots.length;
    const dropped = this.#slots[slot];
    if (dropped === undefined) return;
    this.#bytes -= dropped.entry.bytes.length;
    dropped.objects.release(dropped.entry);
    this.#slots[slot] = undefined;
  }
}

/** Of all entries together. Their objects take a few times as much. */
const maxLatestBytes = 4 * 1024 * 1024;

const latest = new LatestEntries();

/** Lets the decoded objects of all servers of the process be collected. For tests that measure memory. */
export function releaseSharedObjects(): void {
  latest.clear();
}

/** Each version of a kind has its own resource, and decodes an entry differently. */
const shared = new WeakMap<Resource, SharedObjects>();

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
  if (!isKept(entry) || !isServedAsStored(resource, entry) || !isReadAsPrinted(object)) return;
  objects.demand--;
  objects.set(entry, object);
}
