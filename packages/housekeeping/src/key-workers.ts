import type { Logger } from '@flotilla/kube';
import { dispositionOf, WorkQueue } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';

export interface KeyWorkersOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How many keys may be in work at once. */
  readonly workers: number;
  /** Resolves with when to look at the key again, if at all before something happens to it. */
  readonly work: (key: string) => Promise<{ readonly comeBackAfterMs?: number | undefined } | undefined>;
}

/**
 * Works through keys that no single kind could name, which is what ordinary controllers are made for. What fails is tried
 * again, later each time. A turn of the event loop starts no more work than there are workers.
 */
export class KeyWorkers {
  readonly #options: KeyWorkersOptions;
  readonly #queue: WorkQueue;
  #isPumping = false;
  #isClosed = false;

  constructor(options: KeyWorkersOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({ clock: options.clock, onReady: () => this.#pumpSoon(), retryLimits });
  }

  add(key: string): void {
    this.#queue.add(key);
  }

  addLater(key: string): void {
    this.#queue.add(key, 'later');
  }

  addAfter(key: string, delayMs: number): void {
    this.#queue.addAfter(key, delayMs);
  }

  /** Nothing waits, nothing is in work, and nothing failed that will be tried again. */
  get isAtRest(): boolean {
    return this.#queue.depth + this.#queue.inWork + this.#queue.failing === 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#queue.close();
  }

  #pumpSoon(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    setImmediate(() => this.#pump());
  }

  #pump(): void {
    this.#isPumping = false;
    while (!this.#isClosed && this.#queue.inWork < this.#options.workers) {
      const key = this.#queue.take();
      if (key === undefined) return;
      void this.#work(key);
    }
  }

  async #work(key: string): Promise<void> {
    try {
      const { comeBackAfterMs } = (await this.#options.work(key)) ?? {};
      this.#queue.forget(key);
      if (comeBackAfterMs !== undefined) this.#queue.addAfter(key, comeBackAfterMs);
    } catch (error) {
      if (this.#isClosed) return;
      this.#report(key, error);
      this.#queue.addRateLimited(key);
    } finally {
      this.#queue.done(key);
      this.#pumpSoon();
    }
  }

  #report(key: string, error: unknown): void {
    const { kind } = dispositionOf(error);
    const fields = { key, error };
    if (kind === 'look-again') this.#options.logger.debug('a race was lost', fields);
    else this.#options.logger.warn('work failed', fields);
  }
}

/** A thousand races may be lost at once, and none of them is a reason to be slow. */
const retryLimits = { firstMs: 5, maxMs: 60_000, perSecond: 1000, burst: 10_000 };
