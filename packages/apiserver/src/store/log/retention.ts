/** How much history a store keeps for watches and for reads of the past. Whichever limit is reached first wins. */
export interface Retention {
  /** Events younger than this are kept, if they fit. */
  readonly maxAgeMs: number;
  /** Memory that only history holds on to: superseded and deleted objects, and what an event itself takes. */
  readonly maxBytes: number;
}

/** Five minutes, as etcd under kube-apiserver keeps. */
export const defaultRetention: Retention = { maxAgeMs: 5 * 60_000, maxBytes: 64 * 1024 * 1024 };
