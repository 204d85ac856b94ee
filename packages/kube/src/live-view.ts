import type { ApiRequest } from './api-handler.ts';
import type { ObjectKey } from './kind.ts';
import type { KubeObject } from './object.ts';

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
  /**
   * Tells every change after this call, in order, when readers can see it. `ended` is told once, when the view is over: the
   * kind is served no longer, or the user may not see it any more. The returned function ends the view quietly.
   */
  readonly follow: (changed: (change: ViewChange) => void, ended: (error: Error) => void) => () => void;
}

export interface ViewChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: ObjectKey;
  readonly revision: number;
  /** Parsed at the first call. Of a deletion: the last state. */
  readonly object: () => Readonly<KubeObject>;
  /** What readers saw before; undefined for an addition. */
  readonly old: () => Readonly<KubeObject> | undefined;
}

/**
 * Opens a view of the collection that a list request names; refuses as the request would be refused (`ApiError`). Undefined
 * where there can be none: then list and watch.
 */
export type ApiViewer = (request: ApiRequest) => LiveView | undefined;
