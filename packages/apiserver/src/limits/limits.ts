/**
 * What one client may ask of the server's memory and patience. docs/adr/0005-http-limits.md says why each is what it is;
 * where kube-apiserver has such a limit, it is kube-apiserver's.
 */

/** Of an HTTP/2 connection. */
export const sessionLimits = {
  /** MiB that a connection's frames, headers and streams may take. */
  maxSessionMemory: 64,
  settings: {
    maxConcurrentStreams: 1000,
    initialWindowSize: 1024 * 1024,
    // The decoder of nghttp2 ends the whole connection at a longer field; clients that are told do not send one.
    maxHeaderListSize: 64 * 1024,
  },
  maxSettings: 32,
  maxOutstandingPings: 10,
  maxHeaderListPairs: 2000,
  streamResetBurst: 2000,
  streamResetRate: 200,
};

/** Bytes that a connection may have on the way to us, over all its streams. */
export const sessionWindowBytes = 16 * 1024 * 1024;

/** How long an HTTP/2 connection may do nothing, in ticks of `connectionTickMs`. */
export const http2Ticks = {
  /** Go's: until the preface and the first SETTINGS. */
  prefaceTicks: 10,
  /** kube-apiserver's: without a stream. Half a header block is no stream yet. */
  idleTicks: 90,
  /** From the end of a session to the end of its socket. */
  endingTicks: 2,
  /** From a goodbye, or the last sign of life after it, to a ping; and from that to the end. */
  pingTicks: 1,
  pongTicks: 5,
};

export const connectionTickMs = 1000;

/** Of an HTTP/1.1 connection. */
export const http1Limits = {
  /** As much as over HTTP/2, and a request line. Reading a megabyte of selectors or of Accept would hold all others up. */
  maxHeaderSize: 64 * 1024 + 4096,
  headersTimeout: 32_000,
  /** A little more than the minute that a body has, so that its sender gets an answer first. */
  requestTimeout: 65_000,
  keepAliveTimeout: 90_000,
  /** How often the two times above are looked at. */
  connectionsCheckingInterval: 5000,
  /** The listener checks hosts itself, and answers as Go does. */
  requireHostHeader: false,
};

/** Finds clients that vanished without a word; the delay is kube-apiserver's. */
export const tcpLimits = { keepAlive: true, keepAliveInitialDelay: 180_000 };

/** Bytes of bodies that wait or are worked on, over all servers of a process. One user has at most half of them. */
export const waitingBodyBytes = 128 * 1024 * 1024;

/** What a request takes that waits for its body, before any of it has come. */
export const waitingRequestBytes = 4096;

/** Of any connection, before it speaks HTTP. */
export const handshakeTimeoutMs = 32_000;

/** A client that was answered before it had sent its whole body gets this long to read the answer and stop. */
export const lingerMs = 500;

/** How much of a body that nobody reads any more is taken off the wire, and for how long, before its stream is cut. */
export const maxDiscardedBytes = 16 * 1024 * 1024;
export const maxDiscardingMs = 10_000;
