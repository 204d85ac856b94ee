import { CollectionLog } from '../log/collection-log.ts';
import { WholeLog } from '../log/whole-log.ts';
import type { LogEvent } from '../log/log-event.ts';
import type { OrderedMap } from './ordered-map.ts';
import type { Retention } from '../log/retention.ts';
import type { Entry } from '../store.ts';
import { TrimmedList } from '../log/trimmed-list.ts';

export type Index = OrderedMap<Entry>;

/** A past state is computed from a kept version of the index by undoing at most this many events. */
const eventsPerCheckpoint = 256;
/** Encoded events are kept for this many bytes of the newest objects. Slower watches encode again. */
const keptEncodedBytes = 16 * 1024 * 1024;
/** After an idle time much may be too old at once. The limit keeps the cost of a single write low. */
const maxDroppedAtOnce = 4096;

interface Checkpoint {
  readonly revision: number;
  readonly index: Index;
}

/** The past of a store: all events in order, the same by collection, and checkpoints of the index. */
export class History {
  readonly #retention: Retention;
  /** For watches of all collections. */
  readonly all = new WholeLog();
  readonly #events = this.all.events;
  readonly #checkpoints = new TrimmedList<Checkpoint>();
  readonly #collections = new Map<string, CollectionLog>();
  #retainedBytes = 0;
  /** Index of the oldest event that may have encoded forms, and the bytes of all objects from there on. */
  #encodedFrom = 0;
  #encodedBytes = 0;
  #compactedRevision: number;

  constructor(retention: Retention, compactedRevision: number) {
    this.#retention = retention;
    this.#compactedRevision = compactedRevision;
  }

  get compactedRevision(): number {
    return this.#compactedRevision;
  }

  collection(name: string): CollectionLog {
    let log = this.#collections.get(name);
    if (log === undefined) this.#collections.set(name, (log = new CollectionLog()));
    return log;
  }

  /** Adds an event that is now visible. `index` is the state after it, if known. */
  append(event: LogEvent, index: Index | undefined): void {
    this.all.append(event);
    this.#retainedBytes += event.retainedBytes;
    this.collection(event.entry.key.collection).append(event);
    if (index !== undefined && this.#events.end % eventsPerCheckpoint === 0) {
      this.#checkpoints.push({ revision: event.revision, index });
    }
    this.#encodedBytes += event.entry.bytes.length;
    while (this.#encodedBytes > keptEncodedBytes) this.#forgetEncoded();
  }

  /** Drops some of the history that exceeds the retention. */
  trim(now: number): void {
    const { maxAgeMs, maxBytes } = this.#retention;
    for (let count = 0; count < maxDroppedAtOnce; count++) {
      const oldest = this.#events.at(this.#events.first);
      if (oldest === undefined) return;
      if (oldest.publishedAt >= now - maxAgeMs && this.#retainedBytes <= maxBytes) return;
      this.#forgetOldest();
    }
  }

  /** Drops everything up to `revision`. */
  compact(revision: number): void {
    while ((this.#events.at(this.#events.first)?.revision ?? Infinity) <= revision) this.#forgetOldest();
    this.#compactedRevision = Math.max(this.#compactedRevision, revision);
    this.#dropCheckpoints();
  }

  /** The state at `revision`: the nearest later checkpoint with the events between undone. */
  indexAt(revision: number, current: Index): Index | 'compacted' {
    if (revision < this.#compactedRevision) return 'compacted';
    const later = this.#checkpoints.at(this.#checkpoints.findFirst((checkpoint) => checkpoint.revision >= revision));
    let index = later?.index ?? current;
    const newest = later?.revision ?? Infinity;
    for (let at = this.#events.findFirst((event) => event.revision > newest) - 1; at >= this.#events.first; at--) {
      const event = this.#events.at(at)!;
      if (event.revision <= revision) break;
      index = undo(event, index);
    }
    return index;
  }

  #forgetEncoded(): void {
    const event = this.#events.at(this.#encodedFrom++)!;
    event.forgetEncoded();
    this.#encodedBytes -= event.entry.bytes.length;
  }

  #forgetOldest(): void {
    if (this.#encodedFrom === this.#events.first) this.#forgetEncoded();
    const event = this.#events.shift()!;
    this.#retainedBytes -= event.retainedBytes;
    this.#compactedRevision = event.revision;
    this.collection(event.entry.key.collection).events.shift();
    this.#dropCheckpoints();
  }

  #dropCheckpoints(): void {
    const checkpoints = this.#checkpoints;
    while ((checkpoints.at(checkpoints.first)?.revision ?? Infinity) < this.#compactedRevision) checkpoints.shift();
  }
}

function undo(event: LogEvent, index: Index): Index {
  return event.previous === undefined ? index.delete(event.orderKey) : index.set(event.orderKey, event.previous);
}
