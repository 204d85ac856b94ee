import type { Clock } from '@flotilla/timing';
import type { AuditEvent } from '../audit-event.ts';

export interface BatchOptions {
  /** Further events are lost while so many wait. */
  readonly maxBuffered: number;
  /** A batch is sent when it has so many events. */
  readonly maxBatch: number;
  /** A smaller batch is sent after this time. */
  readonly maxWaitMs: number;
  /** Batches that may be under way at once. */
  readonly maxInFlight: number;
  /** Average and largest number of batches in a second. Absent: any number. */
  readonly throttle?: { readonly perSecond: number; readonly burst: number } | undefined;
}

interface Dependencies {
  readonly clock: Clock;
  /** Resolves when the batch is stored or given up. Never rejects. */
  readonly send: (batch: readonly AuditEvent[]) => Promise<void>;
  /** An event found no room. */
  readonly lost: (event: AuditEvent) => void;
}

/** Bodies in events are the only large part, and so many bytes of them may wait. */
const maxBufferedBytes = 64 * 1024 * 1024;

/** Time to send what is buffered when the server stops. */
const stopMs = 500;

/** Buffers events and sends them in batches, in order of their arrival. */
export class BatchedEvents {
  readonly #options: BatchOptions;
  readonly #dependencies: Dependencies;
  #buffered: AuditEvent[] = [];
  #bytes = 0;
  readonly #underWay = new Set<Promise<void>>();
  #cancelWait: (() => void) | undefined;
  #isDue = false;
  #tokens: number;
  #refilledAt: number;
  #cancelRefill: (() => void) | undefined;
  #isStopped = false;

  constructor(options: BatchOptions, dependencies: Dependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    this.#tokens = options.throttle?.burst ?? 0;
    this.#refilledAt = dependencies.clock.elapsed();
  }

  add(event: AuditEvent): void {
    const bytes = sizeOf(event);
    const isFull = this.#buffered.length >= this.#options.maxBuffered || this.#bytes + bytes > maxBufferedBytes;
    if (isFull || this.#isStopped) return this.#dependencies.lost(event);
    this.#buffered.push(event);
    this.#bytes += bytes;
    if (this.#buffered.length >= this.#options.maxBatch) this.#dispatch();
    else this.#wait();
  }

  /** Sends everything, but does not wait longer than a moment for it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelWait?.();
    this.#cancelRefill?.();
    while (this.#buffered.length > 0) this.#send();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = this.#dependencies.clock.after(stopMs, resolve);
    await Promise.race([Promise.all(this.#underWay), late]);
    cancel();
  }

  #wait(): void {
    this.#cancelWait ??= this.#dependencies.clock.after(this.#options.maxWaitMs, () => {
      this.#cancelWait = undefined;
      this.#isDue = true;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    const { maxBatch, maxInFlight } = this.#options;
    while (this.#buffered.length > 0 && (this.#isDue || this.#buffered.length >= maxBatch)) {
      if (this.#underWay.size >= maxInFlight || !this.#takeToken()) return;
      this.#send();
    }
  }

  #send(): void {
    const batch = this.#buffered.splice(0, this.#options.maxBatch);
    for (const event of batch) this.#bytes -= sizeOf(event);
    if (this.#buffered.length === 0) this.#isDue = false;
    const sending = this.#dependencies.send(batch).then(() => {
      this.#underWay.delete(sending);
      if (!this.#isStopped) this.#dispatch();
    });
    this.#underWay.add(sending);
  }

  /** Returns false if the next batch must wait; it is sent when it may. */
  #takeToken(): boolean {
    const { throttle } = this.#options;
    if (!throttle) return true;
    const { clock } = this.#dependencies;
    const now = clock.elapsed();
    this.#tokens = Math.min(throttle.burst, this.#tokens + ((now - this.#refilledAt) / 1000) * throttle.perSecond);
    this.#refilledAt = now;
    if (this.#tokens >= 1) {
      this.#tokens--;
      return true;
    }
    this.#cancelRefill ??= clock.after(Math.ceil(((1 - this.#tokens) / throttle.perSecond) * 1000), () => {
      this.#cancelRefill = undefined;
      this.#dispatch();
    });
    return false;
  }
}

function sizeOf({ requestObject = '', responseObject = '' }: AuditEvent): number {
  return 1024 + requestObject.length + responseObject.length;
}
