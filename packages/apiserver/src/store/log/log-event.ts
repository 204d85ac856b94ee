import type { Entry, StoreEvent } from '../store.ts';

/** An event object, its places in two logs, and its share of the index versions that history keeps. */
const eventOverheadBytes = 512;

/** A change of one object, from the moment it is accepted to the moment history forgets it. */
export class LogEvent implements StoreEvent {
  readonly type: 'put' | 'delete';
  /** The key's place in the index. */
  readonly orderKey: string;
  readonly entry: Entry;
  readonly previous: Entry | undefined;
  /** When it became visible. */
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

  /** Frees what encoders left here. A late reader encodes again. */
  forgetEncoded(): void {
    this.#encoded = undefined;
  }

  /** Memory that would be free if this event were forgotten: the state before it, and after a delete the last state too. */
  get retainedBytes(): number {
    const tombstone = this.type === 'delete' ? this.entry.bytes.length : 0;
    return eventOverheadBytes + tombstone + (this.previous?.bytes.length ?? 0);
  }
}
