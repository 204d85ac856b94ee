import type { Call } from '../../call/call.ts';
import type { Entry } from '../../store/store.ts';
import { batchBytes, joinedItems, ListBatch } from './list-batch.ts';
import type { ListForm } from './list-encoder.ts';
import { scannedEntries, type Page } from './page.ts';

/** Large enough that TLS and HTTP/2 frames cost little, small enough that no turn of the loop is long. */
const chunkBytes = 128 * 1024;
/** Stored objects that a webhook converts are sent to it together, up to so many bytes. */
const questionBytes = 1024 * 1024;
/** Passing over entries until `scannedEntries` yields none takes about as long as this many bytes of items. */
const searchedBytes = 32 * 1024;

/** The items of a page in one form, made batch by batch. */
export class ListBatches {
  readonly #call: Call;
  readonly #form: ListForm;
  readonly #entries: Iterator<Entry | undefined>;
  #isFirst = true;
  isDone = false;

  constructor(call: Call, page: Page, form: ListForm) {
    this.#call = call;
    this.#form = form;
    this.#entries = scannedEntries(call.resource.collection, page);
  }

  /** May be empty: when nothing is left, or the time of a turn was up before anything was found. */
  next(): ListBatch | Promise<ListBatch> {
    return this.#call.resource.whileConverting ? this.#nextQuestion() : this.#nextMade();
  }

  #nextMade(): ListBatch | Promise<ListBatch> {
    const { itemOfEntry } = this.#form;
    const entries: Entry[] = [];
    const items: Uint8Array[] = [];
    const { turns } = this.#call.server;
    for (let made = 0; made < chunkBytes;) {
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
        made += item.length;
      }
      if (turns.isOverAfter(entry?.bytes.length ?? searchedBytes)) break;
    }
    return this.#batch(entries, joinedItems(this.#form, items, this.#isFirst));
  }

  async #batchWhenMade(
    entries: readonly Entry[],
    items: readonly Uint8Array[],
    last: Promise<Uint8Array>,
  ): Promise<ListBatch> {
    return this.#batch(entries, joinedItems(this.#form, [...items, await last], this.#isFirst));
  }

  #nextQuestion(): ListBatch | Promise<ListBatch> {
    const entries: Entry[] = [];
    const { turns } = this.#call.server;
    for (let bytes = 0; bytes < questionBytes;) {
      const { value: entry, done } = this.#entries.next();
      if (done === true) {
        this.isDone = true;
        break;
      }
      if (entry) {
        entries.push(entry);
        bytes += entry.bytes.length;
      } else if (turns.isOverAfter(searchedBytes)) {
        break;
      }
    }
    const made = batchBytes(this.#call, this.#form, entries, this.#isFirst);
    return made instanceof Promise ? made.then((bytes) => this.#batch(entries, bytes)) : this.#batch(entries, made);
  }

  #batch(entries: readonly Entry[], bytes: Uint8Array): ListBatch {
    const batch = new ListBatch(entries, this.#isFirst, bytes);
    if (entries.length > 0) this.#isFirst = false;
    return batch;
  }
}
