import type { ApiViewer } from '@flotilla/kube';

/** How requests reach a server. The client above it is the same for all. */
export interface Transport {
  /** Rejects with a `ConnectionError` when there is no answer; any status is an answer. */
  readonly send: (request: TransportRequest) => Promise<TransportResponse>;
  /** Set in process: informers look at the server's own index. */
  readonly view?: ApiViewer;
  readonly close: () => Promise<void>;
}

export interface TransportRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Pieces as they come; a caller that stops early cancels the rest. */
  readonly body: AsyncIterable<Uint8Array>;
}
