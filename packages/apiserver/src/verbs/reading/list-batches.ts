import type { Call } from '../../call/call.ts';
import type { Entry } from '../../store/store.ts';
import { batchBytes, joinedItems, ListBatch } from './list-batch.ts';
import type { ListEncoder } from './list-encoder.ts';
import { scannedEntries, type Page } from './page.ts';

/** Large enough that TLS and HTTP/2 frames cost little, small enough to keep turns of the event loop short. */
const chunkBytes = 128 * 1024;
/** Skipping entries until `scannedEntries` yields undefined takes about as long as encoding this many bytes. */
const skippedBytes = 32 * 1024;

/** Encodes the items of a page batch by batch. */
export class ListBatches {
  readonly #call: Call;
  readonly #encoder: ListEncoder;
  readonly #entries: Iterator<Entry | undefined>;
  #isFirst = true;
  isDone = false;

  constructor(call: Call, page: Page, encoder: ListEncoder) {
    this.#call = call;
    this.#encoder = encoder;
    this.#entries = scannedEntries(call.resource.collection, page);
  }

  /** The batch is empty if nothing is left, or if the turn ended before an entry matched. */
  next(): ListBatch | Promise<ListBatch> {
    return this.#call.resource.whileConverting ? this.#nextConverted() : this.#nextEncoded();
  }

  #nextEncoded(): ListBatch | Promise<ListBatch> {
    const { itemOfEntry } = this.#encoder;
    const entries: Entry[] = [];
    const items: Uint8Array[] = [];
    const { turns } = this.#call.server;
    for (let encodedBytes = 0; encodedBytes < chunkBytes;) {
      const { value: entry, done } = this.#entries.next();
      if (done === true) {
        this.isDone = true;
        break;
      }
      if (entry) {
        const item = itemOfEntry(entry);
        entries.push(entry);
        if (item instanceof Promise) return this.#batchWhenMade(entries, items, item);
        items.push(item);
        encodedBytes += item.length;
      }
      if (turns.isOverAfter(entry?.bytes.length ?? skippedBytes)) break;
    }
    return this.#batch(entries, joinedItems(this.#encoder, items, this.#isFirst));
  }

  async #batchWhenMade(
    entries: readonly Entry[],
    items: readonly Uint8Array[],
    last: Promise<Uint8Array>,
  ): Promise<ListBatch> {
    return this.#batch(entries, joinedItems(this.#encoder, [...items, await last], this.#isFirst));
  }

  #nextConverted(): ListBatch | Promise<ListBatch> {
    const entries: Entry[] = [];
    const { turns } = this.#call.server;
    for (let bytes = 0; bytes < chunkBytes;) {
      const { value: entry, done } = this.#entries.next();
      if (done === true) {
        this.isDone = true;
        break;
      }
      if (entry) {
        entries.push(entry);
        bytes += entry.bytes.length;
      } else if (turns.isOverAfter(skippedBytes)) {
        break;
      }
    }
    const encoded = batchBytes(this.#call, this.#encoder, entries, this.#isFirst);
    return encoded instanceof Promise
      ? encoded.then((bytes) => this.#batch(entries, bytes))
      : this.#batch(entries, encoded);
  }

  #batch(entries: readonly Entry[], bytes: Uint8Array): ListBatch {
    const batch = new ListBatch(entries, this.#isFirst, bytes);
    if (entries.length > 0) this.#isFirst = false;
    return batch;
  }
}
