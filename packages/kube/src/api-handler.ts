/**
 * One request to a Kubernetes API server and its answer, without a socket. The HTTP listener and the in-process client
 * both speak to a server through this door, so both get the same checks.
 */
export interface ApiRequest {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly path: string;
  /** Everything after the `?`, or empty. */
  readonly query: string;
  /** Lower-case names; repeated headers joined as HTTP joins them. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Headers that are repeated and may hold commas, value by value: the Impersonate-* ones. Absent: none was repeated. */
  readonly headerLists?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Who asks; undefined when what was shown to prove it does not hold. */
  readonly user: User | undefined;
  /** Reads the whole body, refusing more than `limit` bytes with 413. A meter hears of the bytes as they come. */
  readonly body: (limit: number, meter?: BodyMeter) => Promise<Uint8Array>;
  /** What requests of one connection have in common; undefined in process. */
  readonly connection?: object | undefined;
  /** Aborted when the client goes away or the server stops. */
  readonly signal: AbortSignal;
}

export interface BodyMeter {
  /** Throws when no more may be kept. */
  received(bytes: number): void;
}

export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What else whoever vouched for the user said. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export type ResponseHeaders = Record<string, string | readonly string[]>;

export interface ApiResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Pieces are sent one after another without being joined; a stream ends when it says so. */
  readonly body: Uint8Array | readonly Uint8Array[] | ResponseStream;
}

/** A body that grows over time: a watch. It pushes while the sink takes, and waits for `drain` when it does not. */
export interface ResponseStream {
  /** A watch is not compressed: its events must leave at once. */
  readonly isCompressible: boolean;
  readonly start: (sink: StreamSink) => void;
}

export interface StreamSink {
  /** False when the reader should be left to catch up; `onDrain` is called once it has. */
  readonly write: (chunk: Uint8Array) => boolean;
  readonly end: () => void;
  /** The rest cannot be made: the exchange is cut, so that the reader does not take what it has for the whole. */
  readonly fail: (error: unknown) => void;
  readonly onDrain: (listener: () => void) => void;
  readonly onClose: (listener: () => void) => void;
}

/** Answers may come at once: a get from memory is not worth a promise. */
export type ApiHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;
