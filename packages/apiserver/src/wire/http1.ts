import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ApiRequest, ApiResponse, BodyMeter } from '@flotilla/kube';
import { impersonationLists } from '../access/authentication/impersonated-user.ts';
import { readLimited } from './body.ts';
import { compressed } from './compress.ts';
import type { Entrance } from './server-routes.ts';
import { failedRequest, faultAnswer } from './fault-response.ts';
import { hostRefusal } from './host-header.ts';
import { lingerMs } from '../limits/limits.ts';
import type { Door } from './listener.ts';
import { isStream, withCommonHeaders, type Answered } from '../response/response-parts.ts';

/** The latest answer on each connection. Answers keep the order of requests, so once it is over all before it are. */
const latest = new WeakMap<object, ServerResponse>();

/** Whether a connection has requests that are not answered yet. */
export function isAnswering(socket: object): boolean {
  return latest.get(socket)?.closed === false;
}

/** One request of an HTTP/1.1 connection: curl, browsers, and clients in other languages. */
export function answerHttp1(
  message: IncomingMessage,
  response: ServerResponse,
  door: Door,
  stopping: AbortSignal,
): void {
  latest.set(message.socket, response);
  response.on('error', () => undefined);
  message.on('error', () => undefined);
  const refusal = hostRefusal(message.httpVersion, message.rawHeaders);
  if (refusal !== undefined) return refuse(response, refusal);
  // What a client sends behind an upgrade that it did not get may be anything; the parser has dropped it, too.
  if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  stopping.addEventListener('abort', abort, { once: true });
  response.once('close', () => {
    stopping.removeEventListener('abort', abort);
    abort();
  });
  void answer(message, response, door, gone.signal).catch((error: unknown) => fail(message, response, door, error));
}

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  door: Door,
  signal: AbortSignal,
): Promise<void> {
  const { request, entrance } = requestOf(message, door, signal);
  const answered = await compressed(request, entrance.handle(request));
  if (message.complete) send(response, request, answered);
  else await sendEarly(message, response, request, answered);
}

/** A fault of ours. The client is told, unless it has been told something already; then its connection is cut. */
function fail(message: IncomingMessage, response: ServerResponse, door: Door, error: unknown): void {
  const request = failedRequest(message.method, message.url, message.headers);
  const answer = faultAnswer(door, request, error);
  try {
    if (answer !== undefined && !response.headersSent) {
      response.shouldKeepAlive = false;
      return send(response, request, answer);
    }
  } catch {
    // What is left is to cut the connection.
  }
  response.destroy();
}

/** What Go answers to a request that it does not read further, and then closes the connection. */
function refuse(response: ServerResponse, reason: string): void {
  response.shouldKeepAlive = false;
  response.writeHead(400, reason, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`400 ${reason}`);
}

/** The only expectation that there is, is for a 100; Node has seen to that one. */
export function refuseExpectation(message: IncomingMessage, response: ServerResponse): void {
  latest.set(message.socket, response);
  response.on('error', () => undefined);
  response.shouldKeepAlive = false;
  response.writeHead(417, { 'content-length': 0 });
  response.end();
}

/**
 * An answer before the whole body has come. Closing a socket that has more to read resets it, and the client may lose the
 * answer; so what is left is read and dropped for a moment before the exchange ends.
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

/** Resolves when the body has come to its end, or when its time is up. */
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

/** `authorization` stands in for a header that browsers cannot set. */
export function requestOf(
  message: IncomingMessage,
  { entrances, certificates }: Door,
  signal: AbortSignal,
  authorization = message.headers.authorization,
): { readonly request: ApiRequest; readonly entrance: Entrance } {
  const { entrance, target } = entrances.find(originForm(message.url ?? '/'));
  const mark = target.indexOf('?');
  const user = entrance.authenticate(certificates.proofOf(message.socket as TLSSocket), authorization);
  // No handler needs the credential, and what is not there cannot leak.
  delete message.headers.authorization;
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
    signal,
  };
  return { request, entrance };
}

/** Proxies may be asked for `https://host/path`; only the path is about us. */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
}

export function send(response: ServerResponse, request: Answered, answer: ApiResponse): void {
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

/** Returns what the head promises: the bytes that follow it. */
function writeHead(
  response: ServerResponse,
  request: Answered,
  answer: ApiResponse,
  body: Uint8Array | readonly Uint8Array[],
): Uint8Array {
  const bytes = body instanceof Uint8Array ? body : Buffer.concat(body);
  const headers = withCommonHeaders(answer, request) as Record<string, string | string[]>;
  response.writeHead(answer.status, { ...headers, 'content-length': bytes.length });
  return bytes;
}
