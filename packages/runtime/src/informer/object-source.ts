import type { KubeObject, ObjectKey, ObjectVersion, Outline } from '@flotilla/kube';

export type ReadonlyObject = Readonly<KubeObject>;

/** A change of one object. In process only `now` and `old` parse, at their first call. */
export interface ObjectChange {
  readonly key: ObjectKey;
  readonly isGone: boolean;
  /** False for differences that a list found; they may be old. */
  readonly isLive: boolean;
  /** For a deletion, that of the last state. */
  readonly outline: Outline;
  /** Undefined if the object was deleted. */
  now(): ReadonlyObject | undefined;
  /** The previous state; undefined for an addition. */
  old(): ReadonlyObject | undefined;
  /** Whether the owner references are unchanged. Parses nothing; false if that cannot be decided without parsing. */
  hasSameOwners(): boolean;
}

export interface Outlined {
  readonly key: ObjectKey;
  readonly outline: Outline;
}

export interface SourceListener {
  /** Called once for each change, in order, when readers can see it. */
  readonly changed: (change: ObjectChange) => void;
  /** Existing objects can be read, without `changed` for them. Replaces all earlier changes. */
  readonly opened: () => void;
  /** From now on the source shows a consistent state of the server. */
  readonly synced: () => void;
}

/** The objects of a kind on a server, for an informer. */
export interface ObjectSource {
  get(key: ObjectKey): ReadonlyObject | undefined;
  all(namespace?: string): Iterable<ReadonlyObject>;
  /** Of an object, without parsing it. In process it is the same value until the object changes, then another. */
  outline(key: ObjectKey): Outline | undefined;
  /** Of an object, without parsing it. */
  version(key: ObjectKey): ObjectVersion | undefined;
  outlines(namespace?: string): Iterable<Outlined>;
  readonly size: number;
  /** The server's revision up to which listeners have been called. */
  readonly revision: number;
  /** The error that keeps it from following the server; undefined if there is none. */
  readonly failure: string | undefined;
  /** True for a view of a server in this process; a list and its watch are a moment behind. */
  readonly isView: boolean;
  /** Follows the server until `stop`. */
  start(listener: SourceListener): void;
  stop(): Promise<void>;
}
