import type { BodyMeter } from '@flotilla/kube';
import { waitingRequestBytes } from './limits.ts';
import type { Holder, SharedLimit } from './shared-limit.ts';

/** The user has used up its share. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit';
}

/** A user name, or the connection of an anonymous user. */
export type HolderKey = string | object;

/** The limits that a request takes its seat and its memory from. */
export interface RequestPool {
  readonly bodies: SharedLimit;
  holderOf(key: HolderKey): Holder;
  /** Called when the holder has released something. */
  release(key: HolderKey, holder: Holder): void;
}

/** A request from its first byte to its response. It takes memory while its body arrives, and a seat once the body is complete. */
export class InFlightRequest implements BodyMeter {
  readonly #pool: RequestPool;
  readonly #seats: SharedLimit;
  readonly #key: HolderKey;
  readonly #isExempt: boolean;
  #holder: Holder | undefined;
  #bytes = 0;
  #hasSeat = false;
  #isOver = false;

  /** An exempt request counts, but is never refused a seat. */
  constructor(pool: RequestPool, seats: SharedLimit, key: HolderKey, isExempt: boolean) {
    this.#pool = pool;
    this.#seats = seats;
    this.#key = key;
    this.#isExempt = isExempt;
  }

  /** Called before the body is read: even one that never arrives takes memory. Throws OverLimit, as do the next two. */
  wait(): void {
    this.received(waitingRequestBytes);
  }

  received(bytes: number): void {
    // After the response nothing needs the body, so that it must not be kept.
    if (this.#isOver) throw new OverLimit();
    const { bodies } = this.#pool;
    const holder = (this.#holder ??= this.#pool.holderOf(this.#key));
    if (!bodies.hasRoom(holder, bytes)) throw new OverLimit();
    bodies.take(holder, bytes);
    this.#bytes += bytes;
  }

  /** Takes a seat. Called when the body is complete. */
  begin(): void {
    this.#holder ??= this.#pool.holderOf(this.#key);
    if (!this.#isExempt && !this.#seats.hasRoom(this.#holder)) throw new OverLimit();
    this.count();
  }

  /** Takes a seat for a request that is being handled already, even above the limit. */
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
    if (this.#hasSeat) this.#seats.release(holder);
    this.#pool.bodies.release(holder, this.#bytes);
    this.#pool.release(this.#key, holder);
  }
}
