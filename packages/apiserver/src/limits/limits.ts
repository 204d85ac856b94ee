/**
 * Limits of memory and time for each client. docs/adr/0005-http-limits.md has the reason for each value. Limits that
 * kube-apiserver has, too, have its values.
 */

/** Of an HTTP/2 connection. */
export const sessionLimits = {
  /** MiB for frames, headers and streams of a connection. */
  maxSessionMemory: 64,
  settings: {
    maxConcurrentStreams: 1000,
    initialWindowSize: 1024 * 1024,
    // nghttp2 ends the whole connection at a longer field. Clients that know the limit do not send one.
    maxHeaderListSize: 64 * 1024,
  },
  maxSettings: 32,
  maxOutstandingPings: 10,
  maxHeaderListPairs: 2000,
  streamResetBurst: 2000,
  streamResetRate: 200,
};

/** The receive window of a connection, over all its streams. */
export const sessionWindowBytes = 16 * 1024 * 1024;

/** Timeouts of an HTTP/2 connection, in ticks of `connectionTickMs`. */
export const http2Ticks = {
  /** Until the preface and the first SETTINGS; Go's value. */
  prefaceTicks: 10,
  /** Without a stream; kube-apiserver's value. Half a header block is no stream yet. */
  idleTicks: 90,
  /** From the end of a session to the end of its socket. */
  endingTicks: 2,
  /** From GOAWAY, or the last pong after it, to a ping; and from the ping to the end. */
  pingTicks: 1,
  pongTicks: 5,
};

export const connectionTickMs = 1000;

/** Of an HTTP/1.1 connection. */
export const http1Limits = {
  /** As over HTTP/2, plus a request line. Parsing a megabyte of selectors or of Accept would block other requests. */
  maxHeaderSize: 64 * 1024 + 4096,
  headersTimeout: 32_000,
  /** A little more than the timeout of a body, so that the client gets a response first. */
  requestTimeout: 65_000,
  keepAliveTimeout: 90_000,
  /** How often Node checks the timeouts above. */
  connectionsCheckingInterval: 5000,
  /** The listener checks Host itself, with Go's responses. */
  requireHostHeader: false,
};

/** Detects clients that vanished without closing; the delay is kube-apiserver's. */
export const tcpLimits = { keepAlive: true, keepAliveInitialDelay: 180_000 };

/** Bytes of bodies in flight, over all servers of a process. One user has at most half of them. */
export const waitingBodyBytes = 128 * 1024 * 1024;

/** The memory of a request before the first byte of its body. */
export const waitingRequestBytes = 4096;

/** Of the TLS handshake. */
export const handshakeTimeoutMs = 32_000;

/** Time for a client to read an early response and stop sending its body. */
export const lingerMs = 500;

/** Bytes and time for dropping the rest of a body after an early response, before its stream is cut. */
export const maxDiscardedBytes = 16 * 1024 * 1024;
export const maxDiscardingMs = 10_000;
