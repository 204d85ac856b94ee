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
import type { EventType } from '../../call/heavy-work.ts';
import { joinedFrames, type Frame, type FrameEncoder } from './watch-frames.ts';

export type WatchStart =
  | { readonly sendsState: true; readonly marksStateEnd: boolean }
  | { readonly sendsState: false; readonly afterRevision: number }
  | { readonly sendsState: false; readonly failure: ApiStatus };

interface WatchOptions {
  readonly server: Pick<Server, 'store' | 'after' | 'turns'>;
  readonly signal: AbortSignal;
  /** The resource's own end, if it has one. */
  readonly stopped: AbortSignal | undefined;
  /** Undefined for somebody who may do everything. */
  readonly rights: StreamAccess | undefined;
  readonly scope: WatchScope;
  readonly filter: Filter;
  readonly start: WatchStart;
  readonly frames: FrameEncoder;
  readonly sent: Counter;
  readonly sendsBookmarks: boolean;
  readonly timeoutMs: number;
}

/** Promised frames may turn out to be none for this watch. */
type NextFrame = Frame | Promise<Uint8Array | undefined> | undefined;

/** How often a quiet watch learns how far the store has come. */
const bookmarkMs = 60_000;
/** The last bookmark comes so long before the end that the client can start anew from it. */
const lastBookmarkMs = 2_000;

/** A watch that takes none of its initial events for so long ends: until they are sent it holds the state of its beginning. */
const stalledStateMs = 60_000;

/** So many bytes are put together before the stream is asked whether it takes more. */
const batchBytes = 64 * 1024;

export function watchStream(options: WatchOptions): ResponseStream {
  return { isCompressible: false, start: (sink) => new Watch(options, sink).begin() };
}

/**
 * One watch: a cursor into the shared log that moves when its stream can take more. It keeps no events, so a slow client
 * costs nothing and loses nothing while history reaches back to its position.
 */
class Watch {
  readonly #options: WatchOptions;
  readonly #sink: StreamSink;
  readonly #timers: (() => void)[] = [];
  #cursor: Cursor | undefined;
  #state: Iterator<Entry> | undefined;
  #stateRevision = 0;
  /** Present while initial events wait for the stream. */
  #cancelStall: (() => void) | undefined;
  #isOver = false;
  /** The stream asked to be left alone until it has drained. */
  #isFull = false;
  /** A frame is being made that all others must wait for. */
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
    stopped?.addEventListener('abort', this.#end, { once: true });
    this.#timers.push(server.after(timeoutMs, this.#end));
    if (sendsBookmarks) {
      this.#bookmarkEvery(bookmarkMs);
      if (timeoutMs > lastBookmarkMs)
        this.#timers.push(server.after(timeoutMs - lastBookmarkMs, () => this.#bookmark()));
    }
    if (stopped?.aborted === true) this.#end();
    else if (this.#open()) this.#pump();
  }

  #open(): boolean {
    const { server, scope, filter, start } = this.#options;
    const { store } = server;
    if ('failure' in start) {
      this.#fail(start.failure);
      return false;
    }
    if (start.sendsState) {
      const snapshot = store.snapshot();
      this.#stateRevision = snapshot.revision;
      const entries = snapshot.range(scope.collection, scope.prefix);
      this.#state = entries[Symbol.iterator]();
      const prepared = filter.prepare?.(entries);
      if (prepared) this.#await(prepared.then(() => undefined));
    }
    const after = start.sendsState ? this.#stateRevision : start.afterRevision;
    const cursor = store.watch(scope, after);
    if (cursor === 'compacted') {
      this.#fail(tooOld(after, store.compactedRevision));
      return false;
    }
    this.#cursor = cursor;
    return true;
  }

  /** Sends until the stream is full or the log is read to its end; nothing to those who may not hear it any more. */
  #pump(): void {
    try {
      if (this.#options.rights?.refusal()) this.#end();
      // Initial events, and frames that are made from parsed objects, may take more than a turn.
      const isSlow = this.#state !== undefined || this.#options.frames.makesFrames;
      const { turns } = this.#options.server;
      while (!this.#isOver && !this.#isFull && !this.#isWaiting) {
        const frames = this.#nextFrames(isSlow);
        if (frames.length === 0) return;
        this.#options.sent.add(frames.length);
        this.#isFull = !this.#sink.write(joinedFrames(frames));
        if (this.#state && this.#isFull) this.#beginStall();
        if ((isSlow && turns.isOver(0)) || (this.#state && !this.#isFull)) {
          turns.later(() => this.#pump());
          return;
        }
      }
    } catch (error) {
      this.#break(error);
    }
  }

  #beginStall(): void {
    this.#cancelStall ??= this.#options.server.after(stalledStateMs, this.#end);
  }

  #endStall(): void {
    this.#cancelStall?.();
    this.#cancelStall = undefined;
  }

  /** Events wake a watch, so nothing behind it could catch what it throws. */
  #break(error: unknown): void {
    this.#stop();
    this.#sink.fail(error);
  }

  #nextFrames(isSlow: boolean): Uint8Array[] {
    const { turns } = this.#options.server;
    const frames: Uint8Array[] = [];
    let bytes = 0;
    while (bytes < batchBytes) {
      const frame = this.#state ? this.#nextOfState() : this.#nextOfLog();
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

  /** Frames keep their order, so nothing is sent while one is being made. */
  #await(frame: Promise<Uint8Array | undefined>): void {
    this.#isWaiting = true;
    frame
      .then(
        (made) => {
          this.#isWaiting = false;
          if (this.#isOver) return;
          if (made) {
            this.#options.sent.add();
            this.#isFull = !this.#sink.write(made);
            if (this.#state && this.#isFull) this.#beginStall();
          }
          this.#pump();
        },
        (error: unknown) => this.#fail(statusOf(error)),
      )
      .catch((error: unknown) => this.#break(error));
  }

  #nextOfState(): NextFrame {
    const { filter, frames, start } = this.#options;
    while (this.#state) {
      const { value, done } = this.#state.next();
      if (done !== true) {
        if (filter.matches(value)) return frames.ofEntry(value);
        continue;
      }
      this.#state = undefined;
      if (start.sendsState && start.marksStateEnd) return frames.bookmark(this.#stateRevision, true);
    }
    return this.#nextOfLog();
  }

  #nextOfLog(): NextFrame {
    const { filter } = this.#options;
    for (;;) {
      const event = this.#cursor?.next();
      if (event === 'compacted') {
        const { server } = this.#options;
        this.#fail(tooOld(this.#cursor?.revision ?? 0, server.store.compactedRevision));
        return undefined;
      }
      if (event === undefined) {
        this.#cursor?.onReady(() => this.#options.server.turns.run(() => this.#pump()));
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
    const again = (): void => {
      this.#bookmark();
      if (!this.#isOver) this.#timers[slot] = this.#options.server.after(milliseconds, again);
    };
    const slot = this.#timers.push(this.#options.server.after(milliseconds, again)) - 1;
  }

  /** Only a watch that has caught up may promise that nothing before this revision is missing. */
  #bookmark(): void {
    if (this.#isOver || this.#isWaiting || this.#state || !this.#cursor) return;
    this.#sink.write(this.#options.frames.bookmark(this.#cursor.revision, false));
  }

  #fail(status: ApiStatus): void {
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
    this.#state = undefined;
    this.#endStall();
    this.#cursor?.close();
    for (const cancel of this.#timers) cancel();
    this.#options.signal.removeEventListener('abort', this.#end);
    this.#options.stopped?.removeEventListener('abort', this.#end);
  }
}

function statusOf(error: unknown): ApiStatus {
  if (error instanceof ApiError) return error.status;
  return apiErrors.internalError(errorMessage(error)).status;
}

function tooOld(revision: number, compacted: number): ApiStatus {
  return apiErrors.expired(`too old resource version: ${revision} (${compacted})`).status;
}

/** What the event is to somebody who sees only what the filter lets through; undefined: nothing. */
export function eventType(event: StoreEvent, filter: Filter): EventType | undefined {
  return filter.isEmpty ? plainType(event) : filteredType(event, filter);
}

function plainType({ type, previous }: StoreEvent): EventType {
  if (type === 'delete') return 'DELETED';
  return previous ? 'MODIFIED' : 'ADDED';
}

/** An object that begins to match is added for this watcher, one that ceases to match is deleted. */
function filteredType(event: StoreEvent, filter: Filter): EventType | undefined {
  const matchesNow = event.type === 'put' && filter.matches(event.entry);
  const matchedBefore = event.previous !== undefined && filter.matches(event.previous);
  if (matchesNow) return matchedBefore ? 'MODIFIED' : 'ADDED';
  return matchedBefore ? 'DELETED' : undefined;
}
