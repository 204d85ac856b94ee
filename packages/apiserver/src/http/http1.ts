import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ApiHandler, ApiRequest, ApiResponse } from '@flotilla/kube';
import { impersonationLists } from '../access/authentication/wanted-user.ts';
import { readLimited } from './body.ts';
import { compressed } from './compress.ts';
import type { Entrance } from './entrances.ts';
import { lingerMs } from './limits.ts';
import type { Door } from './listener.ts';
import { isStream, withCommonHeaders } from './response-parts.ts';

/** One request of an HTTP/1.1 connection: curl, browsers, and clients in other languages. */
export function answerHttp1(
  message: IncomingMessage,
  response: ServerResponse,
  door: Door,
  stopping: AbortSignal,
): void {
  response.on('error', () => undefined);
  const gone = new AbortController();
  const { request, entrance } = requestOf(message, door, gone.signal);
  const abort = (): void => gone.abort();
  stopping.addEventListener('abort', abort, { once: true });
  response.once('close', () => {
    stopping.removeEventListener('abort', abort);
    abort();
  });
  void answered(request, entrance.handle).then(
    (answer) => {
      if (message.complete) send(response, request, answer);
      else void sendEarly(message, response, request, answer);
    },
    // Only a fault of ours ends here; nothing useful can be said any more.
    () => response.destroy(),
  );
}

async function answered(request: ApiRequest, handle: ApiHandler): Promise<ApiResponse> {
  return compressed(request, handle(request));
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
  message.on('error', () => undefined);
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
  // Nobody behind this line needs a credential, and what is not there cannot leak.
  delete message.headers.authorization;
  const headers = message.headers as Record<string, string | undefined>;
  const request = {
    method: message.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers,
    headerLists: impersonationLists(headers, message.rawHeaders),
    user,
    body: (limit: number) => readLimited(message, limit, message.headers['content-length']),
    signal,
  };
  return { request, entrance };
}

/** Proxies may be asked for `https://host/path`; only the path is about us. */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
}

export function send(response: ServerResponse, request: ApiRequest, answer: ApiResponse): void {
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
  request: ApiRequest,
  answer: ApiResponse,
  body: Uint8Array | readonly Uint8Array[],
): Uint8Array {
  const bytes = body instanceof Uint8Array ? body : Buffer.concat(body);
  const headers = withCommonHeaders(answer, request) as Record<string, string | string[]>;
  response.writeHead(answer.status, { ...headers, 'content-length': bytes.length });
  return bytes;
}
