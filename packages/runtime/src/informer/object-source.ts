import type { KubeObject, ObjectKey } from '@flotilla/kube';

export type ReadonlyObject = Readonly<KubeObject>;

/** One change of one object. What it was and is can be costly to look at, so nobody looks before somebody asks. */
export interface ObjectChange {
  readonly key: ObjectKey;
  /** Undefined when the object is gone. */
  readonly now: () => ReadonlyObject | undefined;
  /** What readers saw before; undefined for an addition. */
  readonly old: () => ReadonlyObject | undefined;
  /** False for what a list found: it may have happened long ago. */
  readonly isLive: boolean;
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
  readonly size: number;
  /** The server's revision that is shown. */
  readonly revision: number;
  /** Why it cannot follow the server at the moment. */
  readonly trouble: string | undefined;
  /** Follows the server until the signal ends it. Never rejects. */
  run(listener: SourceListener, signal: AbortSignal): Promise<void>;
}
