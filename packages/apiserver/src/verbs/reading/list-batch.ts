import type { Call } from '../../call/call.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Entry } from '../../store/store.ts';
import type { ListEncoder } from './list-encoder.ts';
import { readEntries, type EntryReader } from '../../representation/read-entries.ts';
import { isServedAsStored } from '../../representation/read-entry.ts';

/**
 * How many bytes of encoded lists a process keeps for slow readers. Bytes over the limit are dropped, and encoded again when the
 * reader takes more. So stalled readers cost a bounded amount of memory, however many there are.
 */
const maxHeldBytes = 64 * 1024 * 1024;

let totalHeldBytes = 0;

/** Returns false over the limit: the caller must drop the bytes. */
function hold(bytes: number): boolean {
  if (totalHeldBytes + bytes > maxHeldBytes) return false;
  totalHeldBytes += bytes;
  return true;
}

function release(bytes: number): void {
  totalHeldBytes -= bytes;
}

export function heldBytes(): number {
  return totalHeldBytes;
}

/** Consecutive items of a list. Their bytes are kept up to the limit, and otherwise encoded again. */
export class ListBatch {
  readonly length: number;
  readonly #entries: readonly Entry[];
  readonly #isFirst: boolean;
  #bytes: Uint8Array | undefined;
  #isHeld = false;

  constructor(entries: readonly Entry[], isFirst: boolean, bytes: Uint8Array) {
    this.length = bytes.length;
    this.#entries = entries;
    this.#isFirst = isFirst;
    this.#bytes = bytes;
  }

  /** A promise if a webhook must convert the items again. */
  bytes(call: Call, encoder: ListEncoder): Uint8Array | Promise<Uint8Array> {
    return this.#bytes ?? this.#encodeAgain(call, encoder);
  }

  /** Call when the reader stalls: keeps the bytes if the limit allows, or drops them. */
  keepOrDrop(): void {
    if (this.#isHeld) return;
    this.#isHeld = this.#bytes !== undefined && hold(this.length);
    if (!this.#isHeld) this.#bytes = undefined;
  }

  drop(): void {
    if (this.#isHeld) release(this.length);
    this.#isHeld = false;
    this.#bytes = undefined;
  }

  #encodeAgain(call: Call, encoder: ListEncoder): Uint8Array | Promise<Uint8Array> {
    const encoded = batchBytes(call, encoder, this.#entries, this.#isFirst);
    return encoded instanceof Promise ? encoded.then((bytes) => this.#keep(bytes)) : this.#keep(encoded);
  }

  #keep(bytes: Uint8Array): Uint8Array {
    if (bytes.length !== this.length) throw new Error('the items of a list changed their length between two encodings');
    return (this.#bytes = bytes);
  }
}

export function batchBytes(
  call: Call,
  encoder: ListEncoder,
  entries: readonly Entry[],
  isFirst: boolean,
): Uint8Array | Promise<Uint8Array> {
  if (needsConversion(call.resource, entries)) {
    return readEntries(call, entries, itemReader(encoder)).then((items) => joinedItems(encoder, items, isFirst));
  }
  const items = entries.map(encoder.itemOfEntry);
  return areReady(items) ? joinedItems(encoder, items, isFirst) : awaited(encoder, items, isFirst);
}

export function itemReader({ item, itemInWorker }: ListEncoder): EntryReader<Uint8Array> {
  return { here: item, inWorker: itemInWorker };
}

type Item = Uint8Array | Promise<Uint8Array>;

function areReady(items: readonly Item[]): items is readonly Uint8Array[] {
  return !items.some((item) => item instanceof Promise);
}

async function awaited(encoder: ListEncoder, items: readonly Item[], isFirst: boolean): Promise<Uint8Array> {
  return joinedItems(encoder, await Promise.all(items.map(async (item) => item)), isFirst);
}

/** Whether a webhook must convert some of these entries. */
export function needsConversion(resource: Resource, entries: readonly Entry[]): boolean {
  return resource.whileConverting !== undefined && entries.some((entry) => !isServedAsStored(resource, entry));
}

export function joinedItems(encoder: ListEncoder, items: readonly Uint8Array[], isFirst: boolean): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const [index, item] of items.entries())
    pieces.push(isFirst && index === 0 ? encoder.first : encoder.between, item);
  return Buffer.concat(pieces);
}
