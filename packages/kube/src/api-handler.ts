import type { KubeObject } from './object.ts';
import type { RequestBody } from './request-body.ts';

/**
 * A request to a Kubernetes API server, without a socket. The HTTP listener and the in-process client both call a
 * server's `ApiHandler`, so both pass the same checks.
 */
export interface ApiRequest {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly path: string;
  /** Everything after the `?`, or empty. */
  readonly query: string;
  /** Lower-case names. Repeated headers are joined. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Repeated headers whose values may contain commas: the Impersonate-* headers. Absent: none was repeated. */
  readonly headerLists?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The authenticated user; undefined if the credentials are invalid. */
  readonly user: User | undefined;
  /** Reads the whole body. Fails with 413 beyond `limit` bytes. Reports bytes to the meter as they arrive. */
  readonly body: (limit: number, meter?: BodyMeter) => Promise<Uint8Array>;
  /** In process only: the body, which need not be waited for. */
  readonly receivedBody?: RequestBody | undefined;
  /** In process only: of an object in the response, the caller needs no more than its identity. */
  readonly wantsIdentity?: boolean | undefined;
  /** Identifies the connection; undefined in process. */
  readonly connection?: object | undefined;
  /** The address of the client, or of the last proxy before the server; undefined in process. */
  readonly remoteAddress?: string | undefined;
  /** Identifies the request in its response and in audit events; undefined in process. */
  readonly auditId?: string | undefined;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  /** Whether the signal is or would be aborted, for callers that need no signal: making one is costly. Absent: ask the signal. */
  readonly isGone?: boolean | undefined;
}

export interface BodyMeter {
  /** Throws if no more may be buffered. */
  received(bytes: number): void;
}

export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** Further attributes from the authenticator. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export type ResponseHeaders = Record<string, string | readonly string[]>;

export interface ApiResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** An array is sent chunk by chunk, without joining. A stream ends itself. */
  readonly body: Uint8Array | readonly Uint8Array[] | ResponseStream;
  /** Of the object in the body, for callers in process that need nothing else of it and so need not parse it. */
  readonly identity?: () => ObjectIdentity;
  /** The object in the body, if views of the server share it. Must not be changed. */
  readonly sharedObject?: () => KubeObject | undefined;
}

/** What identifies an object and its state. */
export interface ObjectIdentity {
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** A body that grows over time, such as a watch. It writes until the sink is full, and continues after `onDrain`. */
export interface ResponseStream {
  /** A watch is not compressed: its events must leave at once. */
  readonly isCompressible: boolean;
  readonly start: (sink: StreamSink) => void;
}

export interface StreamSink {
  /** Returns false if the stream should wait until `onDrain` is called. */
  readonly write: (chunk: Uint8Array) => boolean;
  readonly end: () => void;
  /**
   * The rest of the body cannot be produced. The connection is cut, so that the reader does not take a part for the
   * whole.
   */
  readonly fail: (error: unknown) => void;
  readonly onDrain: (listener: () => void) => void;
  readonly onClose: (listener: () => void) => void;
}

/** May answer synchronously: a get from memory is not worth a promise. */
export type ApiHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;
