import {
  ApiError,
  apiErrors,
  errorMessage,
  type ApiStatus,
  type Counter,
  type ResponseStream,
  type StreamSink,
} from '@flotilla/kube';
import type { StreamAccess } from '../../access/stream-access.ts';
import type { Cursor, Entry, StoreEvent, WatchScope } from '../../store/store.ts';
import type { Server } from '../../call/server.ts';
import type { Filter } from '../reading/filter.ts';
import type { StopSignal } from '../../resources/stop-signal.ts';
import type { EventType } from '../../call/heavy-work.ts';
import { joinedFrames, type Frame, type FrameEncoder } from './watch-frames.ts';

export type WatchStart =
  | { readonly sendsInitialEvents: true; readonly marksInitialEventsEnd: boolean }
  | { readonly sendsInitialEvents: false; readonly afterRevision: number }
  | { readonly sendsInitialEvents: false; readonly failure: ApiStatus };

interface WatchOptions {
  readonly server: Pick<Server, 'store' | 'after' | 'turns'>;
  readonly signal: AbortSignal;
  /** Aborted when the resource is no longer served. */
  readonly stopped: StopSignal | undefined;
  /** Undefined for callers that may do everything. */
  readonly rights: StreamAccess | undefined;
  readonly scope: WatchScope;
  readonly filter: Filter;
  readonly start: WatchStart;
  readonly frames: FrameEncoder;
  readonly sent: Counter;
  readonly sendsBookmarks: boolean;
  readonly timeoutMs: number;
}

/** A promise of undefined if the event turns out not to match the filter. */
type NextFrame = Frame | Promise<Uint8Array | undefined> | undefined;

/** The interval of bookmarks. */
const bookmarkMs = 60_000;
/** The last bookmark is sent so long before the timeout, for the client to resume from it. */
const lastBookmarkMs = 2_000;

/** A watch whose reader stalls this long during the initial events ends, because it keeps a snapshot until they are sent. */
const initialEventsStallMs = 60_000;

/** Frames are joined up to so many bytes for one write. */
const batchBytes = 64 * 1024;

export function watchStream(options: WatchOptions): ResponseStream {
  return { isCompressible: false, start: (sink) => new Watch(options, sink).begin() };
}

/**
 * One watch: a cursor into the shared log that advances when its stream accepts more. It keeps no events, so a slow client costs
 * no memory, and loses no event unless the log is compacted past its position.
 */
class Watch {
  readonly #options: WatchOptions;
  readonly #sink: StreamSink;
  readonly #timers: (() => void)[] = [];
  #cursor: Cursor | undefined;
  #initialEntries: Iterator<Entry> | undefined;
  #initialRevision = 0;
  /** Set while initial events wait for the stream to drain. */
  #cancelStall: (() => void) | undefined;
  #isOver = false;
  /** The stream accepts no more until it has drained. */
  #isFull = false;
  /** A frame is being encoded. Later frames wait, to keep the order. */
  #isWaiting = false;

  constructor(options: WatchOptions, sink: StreamSink) {
    this.#options = options;
    this.#sink = sink;
  }

  begin(): void {
    const { signal, stopped, server, sendsBookmarks, timeoutMs } = this.#options;
    this.#sink.onClose(() => this.#stop());
    this.#sink.onDrain(() => {
      this.#isFull = false;
      this.#endStall();
      this.#pump();
    });
    signal.addEventListener('abort', this.#end, { once: true });
    stopped?.add(this.#end);
    this.#timers.push(server.after(timeoutMs, this.#end));
    if (sendsBookmarks) {
      this.#bookmarkEvery(bookmarkMs);
      if (timeoutMs > lastBookmarkMs)
        this.#timers.push(server.after(timeoutMs - lastBookmarkMs, () => this.#bookmark()));
    }
    if (stopped?.isStopped === true) this.#end();
    else if (this.#open()) this.#pump();
  }

  #open(): boolean {
    const { server, scope, filter, start } = this.#options;
    const { store } = server;
    if ('failure' in start) {
      this.#endWithError(start.failure);
      return false;
    }
    if (start.sendsInitialEvents) {
      const snapshot = store.snapshot();
      this.#initialRevision = snapshot.revision;
      const entries = snapshot.range(scope.collection, scope.prefix);
      this.#initialEntries = entries[Symbol.iterator]();
      const prepared = filter.prepare?.(entries);
      if (prepared) this.#await(prepared.then(() => undefined));
    }
    const after = start.sendsInitialEvents ? this.#initialRevision : start.afterRevision;
    const cursor = store.watch(scope, after);
    if (cursor === 'compacted') {
      this.#endWithError(expiredStatus(after, store.compactedRevision));
      return false;
    }
    this.#cursor = cursor;
    return true;
  }

  readonly #pumpInTurn = (): void => this.#options.server.turns.run(this.#pump);

  /** Sends until the stream is full or the log is read to its end. Ends the watch if the caller has lost its rights. */
  readonly #pump = (): void => {
    try {
      if (this.#options.rights?.refusal()) this.#end();
      // Initial events, and frames that are encoded from parsed objects, may take longer than a turn.
      const isSlow = this.#initialEntries !== undefined || this.#options.frames.encodesObjects;
      const { turns } = this.#options.server;
      while (!this.#isOver && !this.#isFull && !this.#isWaiting) {
        const frames = this.#nextFrames(isSlow);
        if (frames.length === 0) return;
        this.#options.sent.add(frames.length);
        this.#isFull = !this.#sink.write(joinedFrames(frames));
        if (this.#initialEntries && this.#isFull) this.#beginStall();
        if ((isSlow && turns.isOver(0)) || (this.#initialEntries && !this.#isFull)) {
          turns.later(this.#pump);
          return;
        }
      }
    } catch (error) {
      this.#fail(error);
    }
  };

  #beginStall(): void {
    this.#cancelStall ??= this.#options.server.after(initialEventsStallMs, this.#end);
  }

  #endStall(): void {
    this.#cancelStall?.();
    this.#cancelStall = undefined;
  }

  /** Handles exceptions here, because the store's callbacks that run `#pump` cannot. */
  #fail(error: unknown): void {
    this.#stop();
    this.#sink.fail(error);
  }

  #nextFrames(isSlow: boolean): Uint8Array[] {
    const { turns } = this.#options.server;
    const frames: Uint8Array[] = [];
    let bytes = 0;
    while (bytes < batchBytes) {
      const frame = this.#initialEntries ? this.#nextInitialFrame() : this.#nextLogFrame();
      if (frame === undefined) break;
      if (frame instanceof Promise) {
        this.#await(frame);
        break;
      }
      frames.push(frame);
      bytes += frame.length;
      if (isSlow && turns.isOverAfter(frame.length)) break;
    }
    return frames;
  }

  #await(frame: Promise<Uint8Array | undefined>): void {
    this.#isWaiting = true;
    frame
      .then(
        (encoded) => {
          this.#isWaiting = false;
          if (this.#isOver) return;
          if (encoded) {
            this.#options.sent.add();
            this.#isFull = !this.#sink.write(encoded);
            if (this.#initialEntries && this.#isFull) this.#beginStall();
          }
          this.#pump();
        },
        (error: unknown) => this.#endWithError(statusOf(error)),
      )
      .catch((error: unknown) => this.#fail(error));
  }

  #nextInitialFrame(): NextFrame {
    const { filter, frames, start } = this.#options;
    while (this.#initialEntries) {
      const { value, done } = this.#initialEntries.next();
      if (done !== true) {
        if (filter.matches(value)) return frames.ofEntry(value);
        continue;
      }
      this.#initialEntries = undefined;
      if (start.sendsInitialEvents && start.marksInitialEventsEnd) return frames.bookmark(this.#initialRevision, true);
    }
    return this.#nextLogFrame();
  }

  #nextLogFrame(): NextFrame {
    const { filter } = this.#options;
    for (;;) {
      const event = this.#cursor?.next();
      if (event === 'compacted') {
        const { server } = this.#options;
        this.#endWithError(expiredStatus(this.#cursor?.revision ?? 0, server.store.compactedRevision));
        return undefined;
      }
      if (event === undefined) {
        this.#cursor?.onReady(this.#pumpInTurn);
        return undefined;
      }
      const prepared = filter.prepare?.(event.previous ? [event.entry, event.previous] : [event.entry]);
      if (prepared) return prepared.then(() => this.#frameOf(event));
      const frame = this.#frameOf(event);
      if (frame) return frame;
    }
  }

  #frameOf(event: StoreEvent): Frame | undefined {
    const { filter, frames } = this.#options;
    const type = eventType(event, filter);
    return type && frames.ofEvent(event, type);
  }

  #bookmarkEvery(milliseconds: number): void {
    const sendAndRepeat = (): void => {
      this.#bookmark();
      if (!this.#isOver) this.#timers[slot] = this.#options.server.after(milliseconds, sendAndRepeat);
    };
    const slot = this.#timers.push(this.#options.server.after(milliseconds, sendAndRepeat)) - 1;
  }

  /** A bookmark claims that all events up to its revision were sent, so none is sent during initial events. */
  #bookmark(): void {
    if (this.#isOver || this.#isWaiting || this.#initialEntries || !this.#cursor) return;
    this.#sink.write(this.#options.frames.bookmark(this.#cursor.revision, false));
  }

  #endWithError(status: ApiStatus): void {
    if (this.#isOver) return;
    this.#sink.write(this.#options.frames.error(status));
    this.#end();
  }

  readonly #end = (): void => {
    if (this.#isOver) return;
    this.#stop();
    this.#sink.end();
  };

  #stop(): void {
    this.#isOver = true;
    this.#initialEntries = undefined;
    this.#endStall();
    this.#cursor?.close();
    for (const cancel of this.#timers) cancel();
    this.#options.signal.removeEventListener('abort', this.#end);
    this.#options.stopped?.remove(this.#end);
  }
}

function statusOf(error: unknown): ApiStatus {
  if (error instanceof ApiError) return error.status;
  return apiErrors.internalError(errorMessage(error)).status;
}

function expiredStatus(revision: number, compacted: number): ApiStatus {
  return apiErrors.expired(`too old resource version: ${revision} (${compacted})`).status;
}

/** The type of the event for a watch with this filter; undefined if it does not concern the watch. */
export function eventType(event: StoreEvent, filter: Filter): EventType | undefined {
  return filter.isEmpty ? plainType(event) : filteredType(event, filter);
}

/** For a reader of all objects. */
export function plainType({ type, previous }: StoreEvent): EventType {
  if (type === 'delete') return 'DELETED';
  return previous ? 'MODIFIED' : 'ADDED';
}

/** An object that starts to match is ADDED for this watch, one that stops matching is DELETED. */
function filteredType(event: StoreEvent, filter: Filter): EventType | undefined {
  const matchesNow = event.type === 'put' && filter.matches(event.entry);
  const matchedBefore = event.previous !== undefined && filter.matches(event.previous);
  if (matchesNow) return matchedBefore ? 'MODIFIED' : 'ADDED';
  return matchedBefore ? 'DELETED' : undefined;
}
