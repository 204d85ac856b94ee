import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { ApiResponse } from '@flotilla/kube';
import { compressed } from './compress.ts';
import { failedRequest, faultAnswer } from './fault-response.ts';
import { maxDiscardedBytes, maxDiscardingMs } from '../limits/limits.ts';
import type { Door } from './listener.ts';
import { isStream, withCommonHeaders, type Answered } from '../response/response-parts.ts';
import { StreamRequest } from './stream-request.ts';

/** One request of an HTTP/2 connection. The stream API is used directly: the compatibility layer costs a third more. */
export function answerStream(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  door: Door,
  stopping: AbortSignal,
): void {
  // Whoever goes away in the middle only ends his own stream.
  stream.on('error', ignored);
  try {
    const { entrances, certificates } = door;
    const socket = stream.session?.socket as TLSSocket | undefined;
    const { entrance, target } = entrances.find(headers[':path'] ?? '/');
    const user = entrance.authenticate(socket ? certificates.proofOf(socket) : 'none', headers.authorization);
    // No handler needs the credential, and what is not there cannot leak.
    delete headers.authorization;
    const request = new StreamRequest({ stream, target, headers, rawHeaders, user, stopping });
    const response = compressed(request, entrance.handle(request));
    if (!(response instanceof Promise)) return send(stream, request, response);
    void response.then(
      (answer) => {
        try {
          send(stream, request, answer);
        } catch (error) {
          fail(stream, headers, door, error);
        }
      },
      (error: unknown) => fail(stream, headers, door, error),
    );
  } catch (error) {
    fail(stream, headers, door, error);
  }
}

const ignored = (): void => undefined;

/** A fault of ours. The client is told, unless it has been told something already; then only its stream ends. */
function fail(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, door: Door, error: unknown): void {
  const request = failedRequest(headers[':method'], headers[':path'], headers);
  const answer = faultAnswer(door, request, error);
  try {
    if (answer !== undefined && !stream.headersSent) return send(stream, request, answer);
  } catch {
    // What is left is to end the stream.
  }
  cut(stream);
}

/** Closing a stream would end it in good order first, and its reader would take what it has for the whole. */
function cut(stream: ServerHttp2Stream): void {
  stream.destroy(new Error('the answer was cut'));
}

function send(stream: ServerHttp2Stream, request: Answered, response: ApiResponse): void {
  if (stream.destroyed || stream.headersSent) return;
  const { status, body } = response;
  const headers = withCommonHeaders(response, request) as OutgoingHttpHeaders;
  headers[':status'] = status;
  if (isStream(body)) {
    stream.respond(headers);
    // Clients wait for the headers of a watch before its first event.
    if (request.method === 'HEAD') return void stream.end();
    body.start({
      write: (chunk) => stream.writable && stream.write(chunk),
      end: () => stream.end(),
      fail: () => cut(stream),
      onDrain: (listener) => stream.on('drain', listener),
      onClose: (listener) => stream.once('close', listener),
    });
    return;
  }
  const bytes = Array.isArray(body) ? Buffer.concat(body) : (body as Uint8Array);
  headers['content-length'] = bytes.length;
  stream.respond(headers, { endStream: request.method === 'HEAD' || bytes.length === 0 });
  if (request.method !== 'HEAD' && bytes.length > 0) stream.end(bytes);
  if (!stream.readableEnded && request.method !== 'GET') discardRest(stream);
}

/**
 * An answer may come before the body was read. A reset could overtake the answer on its way, so what is left of a body is
 * read and dropped; who sends without end is cut off.
 */
function discardRest(stream: ServerHttp2Stream): void {
  let discarded = 0;
  stream.on('data', (chunk: Uint8Array) => {
    discarded += chunk.length;
    if (discarded > maxDiscardedBytes) stream.close(constants.NGHTTP2_CANCEL);
  });
  // Not a timeout of the stream, which a byte now and then would put off for ever.
  const cancel = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), maxDiscardingMs).unref();
  stream.once('close', () => clearTimeout(cancel));
}
