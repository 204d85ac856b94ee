import type { ApiRequest } from './api-handler.ts';
import type { Kind, KubeObject, ObjectKey } from './object.ts';

/**
 * A list and its watch as one view of a server's index, in process. Copies nothing. Parses an object on first access
 * and shares the result, so callers must not modify it.
 */
export interface LiveView {
  /** The revision of `get` and `all`. It advances while the view is followed. */
  readonly revision: () => number;
  readonly size: () => number;
  readonly get: (key: ObjectKey) => Readonly<KubeObject> | undefined;
  readonly all: (namespace?: string) => Iterable<Readonly<KubeObject>>;
  /** What the server knows of an object without parsing it: the same value until the object changes, then another. */
  readonly outline: (key: ObjectKey) => Outline | undefined;
  /** Which state of an object it is, without parsing it. */
  readonly version: (key: ObjectKey) => ObjectVersion | undefined;
  readonly outlines: (namespace?: string) => Iterable<{ readonly key: ObjectKey; readonly outline: Outline }>;
  /**
   * Calls `changed` for every later change, in order, when readers can see it. Calls `ended` once, after the last
   * change, if the kind is no longer served or access was revoked. The returned function ends the view without a
   * call. `after` is the revision that an earlier view reached. If that is too old, the view ends with an `ApiError`
   * 410.
   */
  readonly follow: (changed: (change: ViewChange) => void, ended: (error: Error) => void, after?: number) => () => void;
}

/** What tells an object from its later states, and from others of the same name. */
export interface ObjectVersion {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** What the server keeps beside the bytes of an object. Absent means none. */
export interface Outline {
  readonly uid: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ownerUids?: readonly string[];
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
}

export interface ViewChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: ObjectKey;
  readonly revision: number;
  /** For a deletion: of the last state. */
  readonly outline: Outline;
  /** Parsed on the first call. For a deletion: the last state. */
  object(): Readonly<KubeObject>;
  /** The state before the change; undefined for an addition. */
  old(): Readonly<KubeObject> | undefined;
  /** Whether the owner references are unchanged. Parses nothing; false if that cannot be known without parsing. */
  hasSameOwners(): boolean;
}

/**
 * Opens a view of the collection that a list request names. Throws the `ApiError` that the request would get.
 * Returns undefined where no view is possible; the caller must list and watch then.
 */
export type ApiViewer = (request: ApiRequest) => LiveView | undefined;

/**
 * The objects of all kinds that a server has built in, as one view: a controller that follows every kind would otherwise need a
 * hundred. Built-in kinds are always served.
 */
export interface BuiltinsView {
  readonly revision: () => number;
  /** A view of one kind; undefined if it is not built in. */
  readonly of: (kind: Kind) => LiveView | undefined;
  /** What the server knows of all objects without parsing them, each in the preferred version of its kind. */
  readonly outlines: () => Iterable<KindOutline>;
  /** Like that of a `LiveView`. A change of an object that two groups serve is a change of each. */
  readonly follow: (
    changed: (kind: Kind, change: ViewChange) => void,
    ended: (error: Error) => void,
    after?: number,
  ) => () => void;
}

export interface KindOutline {
  /** The same object for all objects of a kind. */
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly outline: Outline;
}
