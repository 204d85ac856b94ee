import type { KubeObject, ObjectKey, Outline } from '@flotilla/kube';

export type ReadonlyObject = Readonly<KubeObject>;

/** One change of one object. In process `now` and `old` parse at their first call, and the rest costs nothing. */
export interface ObjectChange {
  readonly key: ObjectKey;
  readonly isGone: boolean;
  /** False for what a list found: it may have happened long ago. */
  readonly isLive: boolean;
  /** Of a deletion: of the last state. */
  readonly outline: Outline;
  /** Undefined when the object is gone. */
  now(): ReadonlyObject | undefined;
  /** What readers saw before; undefined for an addition. */
  old(): ReadonlyObject | undefined;
  /** Whether its owner references are what they were before. Parses nothing; false where that cannot be known without. */
  hasSameOwners(): boolean;
}

export interface Outlined {
  readonly key: ObjectKey;
  readonly outline: Outline;
}

export interface SourceListener {
  /** Told when readers can see the change, once for each, in the order in which they happened. */
  readonly changed: (change: ObjectChange) => void;
  /** All that is there can be read, though no change told of it. What was told before may not be so any more. */
  readonly opened: () => void;
  /** From now on the source shows a state that the server had. */
  readonly synced: () => void;
}

/** The objects of a kind as a server has them, a moment ago: where an informer has its knowledge from. */
export interface ObjectSource {
  get(key: ObjectKey): ReadonlyObject | undefined;
  all(namespace?: string): Iterable<ReadonlyObject>;
  /** What is known of an object without parsing it. */
  outline(key: ObjectKey): Outline | undefined;
  outlines(namespace?: string): Iterable<Outlined>;
  readonly size: number;
  /** The server's revision up to which all changes have been told. */
  readonly revision: number;
  /** Why it cannot follow the server at the moment. */
  readonly trouble: string | undefined;
  /** Whether it shows what the server has now; a list and its watch are a moment behind. */
  readonly isView: boolean;
  /** Follows the server until `stop`. */
  start(listener: SourceListener): void;
  stop(): Promise<void>;
}
