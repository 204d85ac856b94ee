import type { LiveView } from '@flotilla/kube';

/** How requests reach a server. The client above it is the same for all. */
export interface Transport {
  /** Rejects with a `ConnectionError` when there is no answer, or with the signal's reason; any status is an answer. */
  readonly send: (request: TransportRequest) => Promise<TransportResponse>;
  /** Set in process: the collection that a list request names, as the server's own index has it, where it can be shown so. */
  readonly view?: (request: TransportRequest) => LiveView | undefined;
  readonly close: () => Promise<void>;
}

export interface TransportRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Lower-case names; several values are several headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined as HTTP joins them. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * Pieces as they come; a caller that stops early cancels the rest. Ends only where the server ended it: a connection that
   * is cut before is a `ConnectionError`, an aborted signal its reason.
   */
  readonly body: AsyncIterable<Uint8Array>;
}
