import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ApiRequest, ApiResponse, BodyMeter } from '@flotilla/kube';
import { impersonationLists } from '../access/authentication/impersonated-user.ts';
import { readLimited } from './body.ts';
import { compressed } from './compress.ts';
import type { RoutedServer } from './server-routes.ts';
import { failedRequest, faultResponse } from './fault-response.ts';
import { hostRefusal } from './host-header.ts';
import { lingerMs } from '../limits/limits.ts';
import type { ListenerContext } from './listener.ts';
import { auditIdOf, isStream, withCommonHeaders, type AnsweredRequest } from '../response/response-parts.ts';

/** The latest response on each connection. Responses keep the order of requests, so that it is the last to end. */
const latest = new WeakMap<object, ServerResponse>();

/** Whether the connection has a request without a complete response. */
export function isAnswering(socket: object): boolean {
  return latest.get(socket)?.closed === false;
}

/** Answers a request over HTTP/1.1: curl, browsers, and clients in other languages. */
export function answerHttp1(
  message: IncomingMessage,
  response: ServerResponse,
  context: ListenerContext,
  stopping: AbortSignal,
): void {
  latest.set(message.socket, response);
  response.on('error', () => undefined);
  message.on('error', () => undefined);
  const refusal = hostRefusal(message.httpVersion, message.rawHeaders);
  if (refusal !== undefined) return refuse(response, refusal);
  // After a refused upgrade the client may send anything, and the parser has dropped the beginning.
  if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  const closed = new AbortController();
  const abort = (): void => closed.abort();
  stopping.addEventListener('abort', abort, { once: true });
  response.once('close', () => {
    stopping.removeEventListener('abort', abort);
    abort();
  });
  void answer(message, response, context, closed.signal).catch((error: unknown) =>
    fail(message, response, context, error),
  );
}

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  context: ListenerContext,
  signal: AbortSignal,
): Promise<void> {
  const { request, server } = await requestOf(message, context, signal);
  const answered = await compressed(request, server.handle(request));
  if (message.complete) send(response, request, answered);
  else await sendEarly(message, response, request, answered);
}

/** Answers an exception with an error. If the response has begun, cuts the connection. */
function fail(message: IncomingMessage, response: ServerResponse, context: ListenerContext, error: unknown): void {
  const request = failedRequest(message.method, message.url, message.headers);
  const answer = faultResponse(context, request, error);
  try {
    if (answer !== undefined && !response.headersSent) {
      response.shouldKeepAlive = false;
      return send(response, request, answer);
    }
  } catch {
    // Cut the connection below.
  }
  response.destroy();
}

/** Go's response to an invalid request, after which it closes the connection. */
function refuse(response: ServerResponse, reason: string): void {
  response.shouldKeepAlive = false;
  response.writeHead(400, reason, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`400 ${reason}`);
}

/** Refuses all expectations except `100-continue`, which Node handles. */
export function refuseExpectation(message: IncomingMessage, response: ServerResponse): void {
  latest.set(message.socket, response);
  response.on('error', () => undefined);
  response.shouldKeepAlive = false;
  response.writeHead(417, { 'content-length': 0 });
  response.end();
}

/**
 * Responds before the whole body has arrived. Closing a socket with unread bytes resets it, and the client may lose the
 * response. So this reads and drops the rest of the body for a moment first.
 */
async function sendEarly(
  message: IncomingMessage,
  response: ServerResponse,
  request: ApiRequest,
  answer: ApiResponse,
): Promise<void> {
  if (isStream(answer.body)) return send(response, request, answer);
  if (response.destroyed || response.headersSent) return;
  message.resume();
  const bytes = writeHead(response, request, answer, answer.body);
  if (request.method !== 'HEAD') response.write(bytes);
  await restOf(message);
  response.end();
  if (!message.complete) message.destroy();
}

/** Resolves at the end of the body, or after `lingerMs`. */
function restOf(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(resolve, lingerMs);
    const done = (): void => {
      clearTimeout(cut);
      resolve();
    };
    message.once('end', done);
    message.once('close', done);
  });
}

/** `authorization` replaces the header, which browsers cannot set for a WebSocket. */
export async function requestOf(
  message: IncomingMessage,
  { routes, certificates }: ListenerContext,
  signal: AbortSignal,
  authorization = message.headers.authorization,
): Promise<{ readonly request: ApiRequest; readonly server: RoutedServer }> {
  const { server, target } = routes.find(originForm(message.url ?? '/'));
  const mark = target.indexOf('?');
  const authenticated = server.authenticate(certificates.proofOf(message.socket as TLSSocket), authorization, target);
  // No handler needs the credential, and without it none can leak it.
  delete message.headers.authorization;
  const user = authenticated instanceof Promise ? await authenticated : authenticated;
  const headers = message.headers as Record<string, string | undefined>;
  const request = {
    method: message.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers,
    headerLists: impersonationLists(headers, message.rawHeaders),
    user,
    body: (limit: number, meter?: BodyMeter) => readLimited(message, limit, message.headers['content-length'], meter),
    connection: message.socket,
    remoteAddress: message.socket.remoteAddress,
    auditId: auditIdOf({ headers }),
    signal,
  };
  return { request, server };
}

/** A request as to a proxy has `https://host/path` as its target. */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
}

export function send(response: ServerResponse, request: AnsweredRequest, answer: ApiResponse): void {
  if (response.destroyed || response.headersSent) return;
  const { status, body } = answer;
  if (!isStream(body)) {
    const bytes = writeHead(response, request, answer, body);
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return;
  }
  response.writeHead(status, withCommonHeaders(answer, request) as Record<string, string | string[]>);
  response.flushHeaders();
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  body.start({
    write: (chunk) => response.writable && response.write(chunk),
    end: () => response.end(),
    fail: () => response.destroy(),
    onDrain: (listener) => response.on('drain', listener),
    onClose: (listener) => response.once('close', listener),
  });
}

/** Returns the bytes that must follow the head. */
function writeHead(
  response: ServerResponse,
  request: AnsweredRequest,
  answer: ApiResponse,
  body: Uint8Array | readonly Uint8Array[],
): Uint8Array {
  const bytes = body instanceof Uint8Array ? body : Buffer.concat(body);
  const headers = withCommonHeaders(answer, request) as Record<string, string | string[]>;
  response.writeHead(answer.status, { ...headers, 'content-length': bytes.length });
  return bytes;
}
