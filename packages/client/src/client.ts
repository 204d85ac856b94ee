import type { BuiltinsView, JsonObject, JsonValue, Kind, KubeObject, LiveView, ObjectKey } from '@flotilla/kube';

/**
 * One interface to an API server, over HTTP or in process. An error response is thrown as `ApiError`. Everything
 * else is a `ConnectionError`, or the reason of the aborted signal. A response that is too long or not the expected
 * JSON is a `ConnectionError` too. Callers must not modify returned objects: they may be shared. The client retries
 * requests that the server answers with Retry-After.
 */
export interface Client {
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: GetOptions): Promise<T>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Lists page by page and yields one object at a time. */
  each<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): AsyncIterable<T>;
  /** Watches from a resourceVersion until the signal or the server ends it. Informers resume; this does not. */
  watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions): EventStream<T>;
  /**
   * In process only: a list and its watch as one view of the server's index. Returns undefined where no view is
   * possible.
   */
  readonly view?: (kind: Kind, options?: ViewOptions) => LiveView | undefined;
  /** In process only, for users that may do everything: a view of all built-in kinds. */
  readonly viewBuiltins?: () => BuiltinsView;

  /** With `subresource`, posts to that of the object with this name: the `binding` of a pod. */
  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions & InSubresource): Promise<T>;
  /** Replaces the object, or with `subresource` only that part (`status`, `scale`). */
  update<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions & InSubresource): Promise<T>;
  patch<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions & InSubresource,
  ): Promise<T>;
  /** Server-side apply. */
  apply<T extends KubeObject>(kind: Kind<T>, object: KubeObject, options: ApplyOptions): Promise<T>;
  delete(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<KubeObject>;
  deleteAll(kind: Kind, options: ListOptions & DeleteOptions): Promise<KubeObject>;

  /** Everything else: `/version`, logs, token requests. The body is JSON unless a header says otherwise. */
  request(request: RawRequest): Promise<RawResponse>;
  /** Shares the connection and impersonates a user. Closing the returned client does not close the connection. */
  as(user: Impersonation): Client;
  close(): Promise<void>;
}

export interface GetOptions {
  readonly resourceVersion?: string;
  readonly subresource?: string;
  /** The caller changes nothing in the result. In process it may be an object that informers have, which need not be parsed. */
  readonly mayShare?: boolean;
  readonly signal?: AbortSignal;
}

export interface ListOptions extends Omit<GetOptions, 'subresource'> {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** Only kind, apiVersion and metadata of each object. */
  readonly metadataOnly?: boolean;
}

export interface WatchOptions extends Omit<ListOptions, 'limit' | 'continue'> {
  readonly allowBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
  /** Each object is a Table with one row, as the server prints it. */
  readonly asTable?: boolean;
  readonly signal: AbortSignal;
}

export type ViewOptions = Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;

export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

/** The events of a watch, for one reader. */
export interface EventStream<T> extends AsyncIterable<WatchEvent<T>> {
  /** Calls `handle` for each event. As a loop over the stream, but it keeps no event while it waits for the next. */
  each(handle: (event: WatchEvent<T>) => void): Promise<void>;
}

export interface WriteOptions {
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  readonly dryRun?: boolean;
  /** Only kind, key, uid and resourceVersion of the result are used. In process the rest is missing: nothing is parsed. */
  readonly identityOnly?: boolean;
  /** As in `GetOptions`. */
  readonly mayShare?: boolean;
  readonly signal?: AbortSignal;
}

export interface InSubresource {
  readonly subresource?: string;
}

export interface ApplyOptions extends WriteOptions, InSubresource {
  readonly fieldManager: string;
  readonly force?: boolean;
}

export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonObject[] }
  | { readonly type: 'merge' | 'strategic'; readonly value: JsonObject };

export interface DeleteOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

export interface RawRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly body?: JsonValue | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Limit for the response body. Defaults to the client's limit. */
  readonly maxBytes?: number;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
