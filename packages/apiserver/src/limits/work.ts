import type { BodyMeter } from '@flotilla/kube';
import { waitingRequestBytes } from './limits.ts';
import type { Holder, SharedLimit } from './shared-limit.ts';

/** The user has its share already, or there is nothing left. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit';
}

/** By what a holder is known. */
export type HolderKey = string | object;

/** Where work takes its seat and its memory from. */
export interface WorkPool {
  readonly bodies: SharedLimit;
  holderOf(key: HolderKey): Holder;
  /** Called when the holder has given something back. */
  release(key: HolderKey, holder: Holder): void;
}

/** A request from its first byte to its answer: it takes memory while its body comes, and a seat once the body is whole. */
export class Work implements BodyMeter {
  readonly #pool: WorkPool;
  readonly #seats: SharedLimit;
  readonly #key: HolderKey;
  readonly #isExempt: boolean;
  #holder: Holder | undefined;
  #bytes = 0;
  #hasSeat = false;
  #isOver = false;

  /** Work that is exempt is counted, but never refused a seat. */
  constructor(pool: WorkPool, seats: SharedLimit, key: HolderKey, isExempt: boolean) {
    this.#pool = pool;
    this.#seats = seats;
    this.#key = key;
    this.#isExempt = isExempt;
  }

  /** The body is waited for; even one that never comes takes memory. Throws OverLimit, as do the next two. */
  wait(): void {
    this.received(waitingRequestBytes);
  }

  received(bytes: number): void {
    // After the answer nothing needs the body; it must not be kept.
    if (this.#isOver) throw new OverLimit();
    const { bodies } = this.#pool;
    const holder = (this.#holder ??= this.#pool.holderOf(this.#key));
    if (!bodies.hasRoom(holder, bytes)) throw new OverLimit();
    bodies.take(holder, bytes);
    this.#bytes += bytes;
  }

  /** The body is whole: from here on the request counts. */
  begin(): void {
    this.#holder ??= this.#pool.holderOf(this.#key);
    if (!this.#isExempt && !this.#seats.hasRoom(this.#holder)) throw new OverLimit();
    this.count();
  }

  /** Counts a request that has begun already. */
  count(): this {
    this.#holder ??= this.#pool.holderOf(this.#key);
    this.#seats.take(this.#holder);
    this.#hasSeat = true;
    return this;
  }

  endWith(answer: Promise<unknown>): void {
    const end = (): void => this.#end();
    void answer.then(end, end);
  }

  #end(): void {
    this.#isOver = true;
    const holder = this.#holder;
    if (holder === undefined) return;
    if (this.#hasSeat) this.#seats.giveBack(holder);
    this.#pool.bodies.giveBack(holder, this.#bytes);
    this.#pool.release(this.#key, holder);
  }
}
