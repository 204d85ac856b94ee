import type { Resource } from '../../resources/resource.ts';
import type { Entry } from '../../store/store.ts';
import { batchBytes, joinedItems, ListBatch } from './list-batch.ts';
import type { ListForm } from './list-form.ts';
import { scannedEntries, type Page } from './page.ts';

/** Large enough that TLS and HTTP/2 frames cost little, small enough that no turn of the loop is long. */
const chunkBytes = 128 * 1024;
/** Stored objects that a webhook converts are sent to it together, up to so many bytes. */
const questionBytes = 1024 * 1024;
const turnMs = 8;
/** The clock is read after so many bytes of stored objects: it costs as much as a small object. */
const bytesPerLook = 32 * 1024;

/** The items of a page in one form, made batch by batch. */
export class ListBatches {
  readonly #resource: Resource;
  readonly #form: ListForm;
  readonly #entries: Iterator<Entry | undefined>;
  #isFirst = true;
  isDone = false;

  constructor(resource: Resource, page: Page, form: ListForm) {
    this.#resource = resource;
    this.#form = form;
    this.#entries = scannedEntries(resource.collection, page);
  }

  /** May be empty: when nothing is left, or the time of a turn was up before anything was found. */
  next(): ListBatch | Promise<ListBatch> {
    return this.#resource.whileConverting ? this.#nextQuestion() : this.#nextMade();
  }

  #nextMade(): ListBatch | Promise<ListBatch> {
    const { itemOfEntry } = this.#form;
    const entries: Entry[] = [];
    const items: Uint8Array[] = [];
    const end = performance.now() + turnMs;
    for (let made = 0, unlooked = 0; made < chunkBytes;) {
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
      unlooked += entry?.bytes.length ?? bytesPerLook;
      if (unlooked < bytesPerLook) continue;
      if (performance.now() > end) break;
      unlooked = 0;
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
    const end = performance.now() + turnMs;
    for (let bytes = 0; bytes < questionBytes;) {
      const { value: entry, done } = this.#entries.next();
      if (done === true) {
        this.isDone = true;
        break;
      }
      if (entry) {
        entries.push(entry);
        bytes += entry.bytes.length;
      } else if (performance.now() > end) {
        break;
      }
    }
    const made = batchBytes(this.#resource, this.#form, entries, this.#isFirst);
    return made instanceof Promise ? made.then((bytes) => this.#batch(entries, bytes)) : this.#batch(entries, made);
  }

  #batch(entries: readonly Entry[], bytes: Uint8Array): ListBatch {
    const batch = new ListBatch(entries, this.#isFirst, bytes);
    if (entries.length > 0) this.#isFirst = false;
    return batch;
  }
}
