import type { JsonObject, JsonValue, Kind, KubeObject, LiveView, ObjectKey } from '@flotilla/kube';

/**
 * Everything a program does with an API server, over a socket or in process. Failures that the server answered are
 * `ApiError`; everything else is a `ConnectionError`, or the reason of the signal that ended it. Answers are read up to a limit;
 * what is longer, or no JSON, or no object where one is due, is a `ConnectionError` too. Objects that come back must
 * not be changed: others may hold them. Requests that the server sends away for a while (Retry-After) are sent again.
 */
export interface Client {
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: GetOptions): Promise<T>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Page by page, one object at a time. */
  each<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): AsyncIterable<T>;
  /** From a revision on, until the signal ends it or the server does; resuming is the informer's business. */
  watch<T extends KubeObject>(kind: Kind<T>, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** In process only: a list and its watch as one view of what the server holds. Undefined where there can be none. */
  readonly view?: (kind: Kind, options?: ViewOptions) => LiveView | undefined;

  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  /** Replaces; with `subresource` only that part (`status`, `scale`). */
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

  /** Whatever else there is: `/version`, logs, token requests. JSON unless said otherwise. */
  request(request: RawRequest): Promise<RawResponse>;
  /** The same connection in another's name; closing this one does not close it. */
  as(user: Impersonation): Client;
  close(): Promise<void>;
}

export interface GetOptions {
  readonly resourceVersion?: string;
  readonly subresource?: string;
  readonly signal?: AbortSignal;
}

export interface ListOptions extends Omit<GetOptions, 'subresource'> {
  /** Absent: everywhere. */
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

export interface WriteOptions {
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  readonly dryRun?: boolean;
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
  /** With its query. */
  readonly path: string;
  readonly body?: JsonValue | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** How much of the answer is read; the client's limit when left out. */
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
