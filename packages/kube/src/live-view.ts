import type { ApiRequest } from './api-handler.ts';
import type { KubeObject, ObjectKey } from './object.ts';

/**
 * In process nobody needs bytes: a list and the watch that follows it, as one view of what the server holds. Nothing is
 * copied; an object is parsed when somebody first looks at it, and all who look share what they see. Nobody may change it.
 */
export interface LiveView {
  /** The state that `get` and `all` show; grows while the view is followed. */
  readonly revision: () => number;
  readonly size: () => number;
  readonly get: (key: ObjectKey) => Readonly<KubeObject> | undefined;
  readonly all: (namespace?: string) => Iterable<Readonly<KubeObject>>;
  /** What is known of an object without parsing it. */
  readonly outline: (key: ObjectKey) => Outline | undefined;
  readonly outlines: (namespace?: string) => Iterable<{ readonly key: ObjectKey; readonly outline: Outline }>;
  /**
   * Tells every change after this call, in order, when readers can see it; they may see the next ones already. `ended` is told
   * once, when the view is over and all before that has been told: the kind is served no longer, or the user may not see it
   * any more. The returned function ends the view quietly. `after`: where an earlier view of the same was followed to; ends
   * with an `ApiError` 410 when that is too long ago.
   */
  readonly follow: (changed: (change: ViewChange) => void, ended: (error: Error) => void, after?: number) => () => void;
}

/** The few facts about an object that the server keeps beside its bytes. Absent means none. */
export interface Outline {
  readonly uid: string;
  readonly ownerUids?: readonly string[];
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
}

export interface ViewChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: ObjectKey;
  readonly revision: number;
  /** Of a deletion: of the last state. */
  readonly outline: Outline;
  /** Parsed at the first call. Of a deletion: the last state. */
  object(): Readonly<KubeObject>;
  /** What readers saw before; undefined for an addition. */
  old(): Readonly<KubeObject> | undefined;
  /** Whether its owner references are what they were before. Parses nothing; false where that cannot be known without. */
  hasSameOwners(): boolean;
}

/**
 * Opens a view of the collection that a list request names; refuses as the request would be refused (`ApiError`). Undefined
 * where there can be none: then list and watch.
 */
export type ApiViewer = (request: ApiRequest) => LiveView | undefined;
