import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { ApiResponse } from '@flotilla/kube';
import { compressed } from './compress.ts';
import { failedRequest, faultResponse } from './fault-response.ts';
import { maxDiscardedBytes, maxDiscardingMs } from '../limits/limits.ts';
import type { ListenerContext } from './listener.ts';
import { isStream, withCommonHeaders, type AnsweredRequest } from '../response/response-parts.ts';
import type { RoutedServer } from './server-routes.ts';
import { StreamRequest } from './stream-request.ts';

/** Answers a request over HTTP/2. Uses streams directly: Node's compatibility layer costs a third more. */
export function answerStream(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  context: ListenerContext,
  stopping: AbortSignal,
): void {
  // A client that disconnects ends only its own streams.
  stream.on('error', ignoreError);
  try {
    const { routes, certificates } = context;
    const socket = stream.session?.socket as TLSSocket | undefined;
    const { server, target } = routes.find(headers[':path'] ?? '/');
    const user = server.authenticate(socket ? certificates.proofOf(socket) : 'none', headers.authorization, target);
    // No handler needs the credential, and without it none can leak it.
    delete headers.authorization;
    const parts = { stream, target, headers, rawHeaders, stopping };
    if (!(user instanceof Promise)) return answer(new StreamRequest({ ...parts, user }), server, stream, context);
    void user.then(
      (found) => answer(new StreamRequest({ ...parts, user: found }), server, stream, context),
      (error: unknown) => fail(stream, headers, context, error),
    );
  } catch (error) {
    fail(stream, headers, context, error);
  }
}

/** Never throws. */
function answer(
  request: StreamRequest,
  server: RoutedServer,
  stream: ServerHttp2Stream,
  context: ListenerContext,
): void {
  const failed = (error: unknown): void => fail(stream, request.headers, context, error);
  try {
    const response = compressed(request, server.handle(request));
    if (!(response instanceof Promise)) return send(stream, request, response);
    void response.then((answered) => {
      try {
        send(stream, request, answered);
      } catch (error) {
        failed(error);
      }
    }, failed);
  } catch (error) {
    failed(error);
  }
}

const ignoreError = (): void => undefined;

/** Answers an exception with an error. If the response has begun, cuts the stream. */
function fail(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, context: ListenerContext, error: unknown): void {
  const request = failedRequest(headers[':method'], headers[':path'], headers);
  const answer = faultResponse(context, request, error);
  try {
    if (answer !== undefined && !stream.headersSent) return send(stream, request, answer);
  } catch {
    // Cut the stream below.
  }
  cut(stream);
}

/** Resets the stream. After a normal close the client would take a partial response for complete. */
function cut(stream: ServerHttp2Stream): void {
  stream.destroy(new Error('response aborted'));
}

function send(stream: ServerHttp2Stream, request: AnsweredRequest, response: ApiResponse): void {
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
 * Reads and drops the rest of a body that was answered early, because a reset could overtake the response. Above a limit of
 * bytes or time the stream is cancelled.
 */
function discardRest(stream: ServerHttp2Stream): void {
  let discarded = 0;
  stream.on('data', (chunk: Uint8Array) => {
    discarded += chunk.length;
    if (discarded > maxDiscardedBytes) stream.close(constants.NGHTTP2_CANCEL);
  });
  // Not a timeout of the stream: a client could postpone that forever with single bytes.
  const cancel = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), maxDiscardingMs).unref();
  stream.once('close', () => clearTimeout(cancel));
}
