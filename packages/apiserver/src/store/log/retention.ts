/** How much history a store keeps, for watches and for reads of the past. The limit that is reached first applies. */
export interface Retention {
  /** Events younger than this are kept if they fit into `maxBytes`. */
  readonly maxAgeMs: number;
  /** Memory that only history needs: superseded and deleted objects, and the events themselves. */
  readonly maxBytes: number;
}

/** Five minutes, like etcd under kube-apiserver. */
export const defaultRetention: Retention = { maxAgeMs: 5 * 60_000, maxBytes: 64 * 1024 * 1024 };
