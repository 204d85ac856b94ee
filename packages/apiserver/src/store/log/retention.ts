/** How much history a store keeps, for watches and for reads of the past. The limit that is reached first applies. */
export interface Retention {
  /** Events younger than this are kept if they fit into `maxBytes`. */
  readonly maxAgeMs: number;
  /** Memory that only history needs: superseded and deleted objects, and the events themselves. */
  readonly maxBytes: number;
}

/** Five minutes, like etcd under kube-apiserver. */
export const defaultRetention: Retention = { maxAgeMs: 5 * 60_000, maxBytes: 64 * 1024 * 1024 };

/** Enough for a hundred changes, so that a watch of a quiet store may end and go on. */
const leastSharedBytes = 128 * 1024;

/** One retention for many stores: a thousand members together may keep what one server keeps. */
export class SharedRetention implements Retention {
  readonly maxAgeMs: number;
  readonly #bytesOfAll: number;
  #stores = 0;

  constructor({ maxAgeMs, maxBytes }: Retention) {
    this.maxAgeMs = maxAgeMs;
    this.#bytesOfAll = maxBytes;
  }

  /** What each store may keep. */
  get maxBytes(): number {
    return Math.max(leastSharedBytes, this.#bytesOfAll / this.#stores);
  }

  /** The retention of one more store. */
  forOneMore(): Retention {
    this.#stores++;
    return this;
  }
}
