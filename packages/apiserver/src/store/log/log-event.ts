import type { Entry, StoreEvent } from '../store.ts';

/** Memory of an event object, its entries in two logs, and its share of the index versions in history. */
const eventOverheadBytes = 512;

/** A change of one object, from its acceptance until history drops it. */
export class LogEvent implements StoreEvent {
  readonly type: 'put' | 'delete';
  /** Position of the key in the index. */
  readonly orderKey: string;
  readonly entry: Entry;
  readonly previous: Entry | undefined;
  /** When the event became visible. */
  publishedAt = 0;
  #encoded: Map<string, Uint8Array> | undefined;

  constructor(type: 'put' | 'delete', orderKey: string, entry: Entry, previous: Entry | undefined) {
    this.type = type;
    this.orderKey = orderKey;
    this.entry = entry;
    this.previous = previous;
  }

  get revision(): number {
    return this.entry.revision;
  }

  get encoded(): Map<string, Uint8Array> {
    return (this.#encoded ??= new Map());
  }

  /** Frees the encoded forms. A late reader encodes again. */
  forgetEncoded(): void {
    this.#encoded = undefined;
  }

  /** Memory that dropping this event would free: the state before it, and for a delete the last state too. */
  get retainedBytes(): number {
    const tombstone = this.type === 'delete' ? this.entry.bytes.length : 0;
    return eventOverheadBytes + tombstone + (this.previous?.bytes.length ?? 0);
  }
}
