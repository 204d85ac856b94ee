import type { TransportRequest, TransportResponse } from '../transport.ts';

/** An open connection: an HTTP/2 session, or one HTTP/1.1 socket for each concurrent request. */
export interface Connection {
  /** Whether the connection can take another request now. */
  readonly hasRoom: () => boolean;
  /** Reserves the capacity synchronously. */
  readonly send: (request: TransportRequest) => Promise<TransportResponse>;
  /** Accepts no more requests, and closes when the last one ends. */
  readonly retire: () => void;
  /** Closes at once. */
  readonly destroy: () => void;
}

/** kube-apiserver answers within a minute, or with an error. A watch answers at once. */
export const responseMs = 120_000;

export const noResponse = `no response within ${responseMs / 1000} s`;
