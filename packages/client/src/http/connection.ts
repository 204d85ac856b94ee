import type { TransportRequest, TransportResponse } from '../transport.ts';

/** One way to a server that is open: an HTTP/2 session, or as many HTTP/1.1 sockets as there are requests at once. */
export interface Connection {
  /** Whether another request may join those that it carries. */
  readonly hasRoom: () => boolean;
  /** Takes the room at once. */
  readonly send: (request: TransportRequest) => Promise<TransportResponse>;
  /** Takes no more requests, and ends when those it carries have ended. */
  readonly retire: () => void;
  /** Ends at once. */
  readonly destroy: () => void;
}

/** Servers answer within a minute, or say that they cannot: kube-apiserver's limit. Watches begin their answer at once. */
export const responseMs = 120_000;

export const noResponse = `no response within ${responseMs / 1000} s`;
