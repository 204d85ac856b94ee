import { anonymous, type ApiRequest, type BodyMeter, type User } from '@flotilla/kube';
import { waitingBodyBytes, waitingRequestBytes } from './limits.ts';
import { SharedLimit, type Holder } from './shared-limit.ts';
import { TooManyRequests } from './too-many-requests.ts';

/** Shared by all servers of a process, because they share its memory. */
const bodiesOfProcess = new SharedLimit(waitingBodyBytes);

/** A user name, or the connection of an anonymous user. */
type HolderKey = string | object;

/** Users that hold nothing and are remembered. Most servers have fewer, and a map that loses its last entry allocates a table. */
const maxIdleUsers = 16;

type Caller = Pick<ApiRequest, 'connection'>;

/** Limits the memory of bodies that arrive or are worked on, and gives every user a share, `system:masters` included. */
export class BodyLimit {
  readonly #bodies: SharedLimit;
  readonly #holders = new Map<HolderKey, Holder>();

  constructor(bodies: SharedLimit = bodiesOfProcess) {
    this.#bodies = bodies;
  }

  /** The memory of one body, from its first byte to `release`. */
  bodyOf(caller: Caller, user: User): BodyShare {
    return new BodyShare(this, this.#bodies, keyOf(caller, user));
  }

  holderOf(key: HolderKey): Holder {
    let holder = this.#holders.get(key);
    if (holder === undefined) this.#holders.set(key, (holder = { held: 0 }));
    return holder;
  }

  /** Forgets a holder that holds nothing, so that many users, and connections, that are gone take no memory. */
  forgetIdle(key: HolderKey, holder: Holder): void {
    const isKept = typeof key === 'string' && this.#holders.size <= maxIdleUsers;
    if (holder.held === 0 && !isKept) this.#holders.delete(key);
  }
}

/** Users count by name, anonymous ones by connection. */
function keyOf({ connection }: Caller, { name }: User): HolderKey {
  return name === anonymous.name && connection !== undefined ? connection : name;
}

export class BodyShare implements BodyMeter {
  readonly #limit: BodyLimit;
  readonly #bodies: SharedLimit;
  readonly #key: HolderKey;
  #holder: Holder | undefined;
  #bytes = 0;
  #isOver = false;

  constructor(limit: BodyLimit, bodies: SharedLimit, key: HolderKey) {
    this.#limit = limit;
    this.#bodies = bodies;
    this.#key = key;
  }

  wait(): void {
    this.received(waitingRequestBytes);
  }

  received(bytes: number): void {
    // After the response nothing needs the body, so that it must not be kept.
    if (this.#isOver) throw new TooManyRequests();
    const holder = (this.#holder ??= this.#limit.holderOf(this.#key));
    if (!this.#bodies.hasRoom(holder, bytes)) throw new TooManyRequests();
    this.#bodies.take(holder, bytes);
    this.#bytes += bytes;
  }

  release(): void {
    this.#isOver = true;
    const holder = this.#holder;
    if (holder === undefined) return;
    this.#bodies.release(holder, this.#bytes);
    this.#limit.forgetIdle(this.#key, holder);
  }
}
