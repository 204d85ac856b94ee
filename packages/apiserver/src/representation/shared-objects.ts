import { isReadAsPrinted, type KubeObject } from '@flotilla/kube';
import type { Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';
import { isServedAsStored, readEntryNow } from './read-entry.ts';

/** The object of an entry in one version of its kind. The entry keeps it, so that finding it costs no lookup. */
class Decoded {
  readonly resource: Resource;
  readonly object: KubeObject;

  constructor(resource: Resource, object: KubeObject) {
    this.resource = resource;
    this.object = object;
  }
}

/** Larger objects would take too much memory. */
const maxKeptBytes = 16_384;

/**
 * The objects that were decoded last, so that they live as long as the turns of the controllers that read them one after another. Whatever
 * came before them is shared only until it is collected: placements that roll out together read thousands of objects several times, and
 * most of those live longer than that.
 */
class LatestObjects {
  /** Of all entries together. Their objects take a few times as much. */
  readonly #maxBytes: number;
  readonly #release: (entry: Entry) => void;
  readonly #entries: (Entry | undefined)[] = Array.from({ length: 2048 });
  #newest = 0;
  #oldest = 0;
  #bytes = 0;

  constructor(maxBytes: number, release: (entry: Entry) => void) {
    this.#maxBytes = maxBytes;
    this.#release = release;
  }

  add(entry: Entry): void {
    this.#bytes += entry.bytes.length;
    while (this.#bytes > this.#maxBytes || this.#newest - this.#oldest === this.#entries.length) this.#drop();
    this.#entries[this.#newest++ % this.#entries.length] = entry;
  }

  clear(): void {
    while (this.#oldest < this.#newest) this.#drop();
  }

  #drop(): void {
    const slot = this.#oldest++ % this.#entries.length;
    const dropped = this.#entries[slot];
    if (dropped === undefined) return;
    this.#bytes -= dropped.bytes.length;
    this.#release(dropped);
    this.#entries[slot] = undefined;
  }
}

/** Shares the object of the entry only until it is collected. */
function weaken(entry: Entry): void {
  if (entry.decoded instanceof Decoded) entry.decoded = new WeakRef(entry.decoded);
}

function forget(entry: Entry): void {
  entry.decoded = undefined;
}

let latest = new LatestObjects(4 * 1024 * 1024, weaken);

/**
 * For a thread of members. Their controllers read what was written a moment before, and then no more. An object that is kept longer than
 * that, even weakly, moves to the old generation.
 */
export function shareObjectsBriefly(): void {
  latest = new LatestObjects(512 * 1024, forget);
}

/** Lets the decoded objects of all servers of the process be collected. For tests that measure memory. */
export function releaseSharedObjects(): void {
  latest.clear();
}

/**
 * So many writes are shared after a read had to decode an object: more than come before the first of them is read, as when a placement
 * gets hundreds of bindings. Any further one waits until a view reads the kind again.
 */
const writesForRead = 512;

/** How many more writes of a version of a kind are shared. Writes that no view reads are not worth their memory. */
const demand = new WeakMap<Resource, { writes: number }>();

export function sharedObject(resource: Resource, entry: Entry): Readonly<KubeObject> {
  const known = knownObject(resource, entry);
  if (known !== undefined) return known;
  const wanted = demand.get(resource);
  if (wanted === undefined) demand.set(resource, { writes: writesForRead });
  else wanted.writes = writesForRead;
  const object = readEntryNow(resource, entry);
  share(resource, entry, object);
  return object;
}

/** The object of an entry, if it is shared. Must not be changed. */
export function knownObject(resource: Resource, entry: Entry): KubeObject | undefined {
  const { decoded: kept } = entry;
  const decoded: unknown = kept instanceof WeakRef ? kept.deref() : kept;
  if (decoded === undefined) entry.decoded = undefined;
  return decoded instanceof Decoded && decoded.resource === resource ? decoded.object : undefined;
}

/**
 * Shares the object from which an entry was encoded, so that its first reader need not parse it. The caller must not change it again.
 * Keeps nothing of kinds that no view reads: on most servers these are most kinds. An object that is kept moves to the old
 * generation, with the body of its request, and costs a tenth of the write.
 */
export function shareWritten(resource: Resource, entry: Entry, object: KubeObject): void {
  const wanted = demand.get(resource);
  if (wanted === undefined || wanted.writes === 0) return;
  if (entry.bytes.length > maxKeptBytes || !isServedAsStored(resource, entry) || !isReadAsPrinted(object)) return;
  wanted.writes--;
  share(resource, entry, object);
}

function share(resource: Resource, entry: Entry, object: KubeObject): void {
  entry.decoded = new Decoded(resource, object);
  if (entry.bytes.length > maxKeptBytes) weaken(entry);
  else latest.add(entry);
}
