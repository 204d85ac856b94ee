/**
 * Watches over WebSocket, for browsers: each message is one event. Only watches are upgraded. Any other upgrade request gets
 * its ordinary response, as from kube-apiserver.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiResponse, StreamSink } from '@flotilla/kube';
import { failedRequest, faultResponse } from './fault-response.ts';
import { guarded } from '../metrics/guarded.ts';
import { hostRefusal } from './host-header.ts';
import { isAnswering, requestOf, send } from './http1.ts';
import type { ListenerContext } from './listener.ts';
import { mediaTypes } from '../request/negotiate.ts';
import { requestInfo } from '../request/request-info.ts';
import { textResponse } from '../response/respond.ts';
import { isStream, type AnsweredRequest } from '../response/response-parts.ts';
import { closeCodes, closeFrame, frame, FrameReader, opcodes } from './web-socket-frames.ts';

/**
 * Decides before Node detaches the connection from HTTP. A handshake with a body, or before the responses to earlier requests,
 * gets an ordinary response: on an upgraded connection the earlier ones could not be sent.
 */
export function asksForWebSocketWatch(message: IncomingMessage, { routes }: Pick<ListenerContext, 'routes'>): boolean {
  const { method = '', url = '/', headers, socket } = message;
  if (headers.upgrade?.toLowerCase() !== 'websocket' || method !== 'GET') return false;
  if (hasBody(headers) || isAnswering(socket)) return false;
  try {
    const [path = '', query = ''] = routes.find(url).target.split('?', 2);
    const info = requestInfo(method, path, query);
    return info.isResource && info.verb === 'watch';
  } catch {
    // The ordinary handler meets the same error and answers it.
    return false;
  }
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

export function answerWebSocket(
  message: IncomingMessage,
  socket: Duplex,
  head: Uint8Array,
  context: ListenerContext,
  stopping: AbortSignal,
): void {
  const closed = new AbortController();
  const abort = (): void => closed.abort();
  stopping.addEventListener('abort', abort, { once: true });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    stopping.removeEventListener('abort', abort);
    closed.abort();
  });
  void answer(message, socket, head, context, closed.signal).catch((error: unknown) =>
    fail(message, socket, context, error),
  );
}

async function answer(
  message: IncomingMessage,
  socket: Duplex,
  head: Uint8Array,
  context: ListenerContext,
  signal: AbortSignal,
): Promise<void> {
  const refusal = hostRefusal(message.httpVersion, message.rawHeaders);
  const handshake = refusal === undefined ? handshakeOf(message) : undefined;
  if (!handshake) {
    const asked = failedRequest(message.method, message.url, message.headers);
    return refuse(message, socket, asked, textResponse(400, `400 ${refusal ?? 'Bad Request'}`));
  }
  const authorization = message.headers.authorization ?? handshake.authorization;
  const { request, server } = await requestOf(message, context, signal, authorization);
  const answered = await server.handle(request);
  if (!isStream(answered.body)) return refuse(message, socket, request, answered);
  sendMessages(socket, head, handshake, answered, (error) => fail(message, socket, context, error));
}

/** Answers an exception with an error. If the response has begun, cuts the connection. */
function fail(message: IncomingMessage, socket: Duplex, context: ListenerContext, error: unknown): void {
  const request = failedRequest(message.method, message.url, message.headers);
  const answer = faultResponse(context, request, error);
  try {
    const isUnanswered = !upgraded.has(socket) && refusals.get(socket)?.headersSent !== true;
    if (answer !== undefined && isUnanswered) return refuse(message, socket, request, answer);
  } catch {
    // Cut the connection below.
  }
  socket.destroy();
}

/** Connections with an accepted handshake, and the responses on those with a refused one. */
const upgraded = new WeakSet<Duplex>();
const refusals = new WeakMap<Duplex, ServerResponse>();

interface Handshake {
  readonly key: string;
  readonly protocol: string | undefined;
  readonly authorization: string | undefined;
}

/** Browsers cannot set headers, so that a token may be in a protocol name. The response does not repeat it. */
const bearerPrefix = 'base64url.bearer.authorization.k8s.io.';

/** Returns undefined for an invalid handshake. A client may name any one protocol; it makes no difference. */
function handshakeOf({ headers }: IncomingMessage): Handshake | undefined {
  const key = headers['sec-websocket-key'];
  if (headers['sec-websocket-version'] !== '13' || key === undefined) return undefined;
  const named = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const tokens = named.filter((name) => name.startsWith(bearerPrefix));
  const protocols = named.filter((name) => name !== '' && !name.startsWith(bearerPrefix));
  if (tokens.length > 1 || protocols.length > 1) return undefined;
  const [token] = tokens.map((name) => Buffer.from(name.slice(bearerPrefix.length), 'base64url').toString());
  // Without another protocol, the response would have to repeat the one with the token.
  const isUsable = token !== undefined && protocols.length === 1;
  return { key, protocol: protocols[0], authorization: isUsable ? `Bearer ${token}` : undefined };
}

function refuse(message: IncomingMessage, socket: Duplex, request: AnsweredRequest, answer: ApiResponse): void {
  let response = refusals.get(socket);
  if (response === undefined) refusals.set(socket, (response = responseOn(message, socket)));
  send(response, request, answer);
}

/** Does not import the module: that would read all its exports, which loads an HTTP client at every start. */
function responseOn(message: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new (process.getBuiltinModule('node:http').ServerResponse)(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  // Nothing reads this connection, so that a close by the client would go unnoticed.
  response.once('finish', () => socket.end(() => socket.destroy()));
  return response;
}

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

function sendMessages(
  socket: Duplex,
  head: Uint8Array,
  { key, protocol }: Handshake,
  { headers, body }: ApiResponse,
  fail: (error: unknown) => void,
): void {
  if (!isStream(body) || socket.destroyed) return;
  upgraded.add(socket);
  const accept = createHash('sha1').update(`${key}${guid}`).digest('base64');
  const agreed = protocol === undefined ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${agreed}\r\n`,
  );
  const end = (code: number): void => {
    if (!socket.writableEnded) socket.end(closeFrame(code), () => socket.destroy());
  };
  const reader = new FrameReader({
    // No pongs to a client that does not read: they would accumulate.
    onPing: (payload) =>
      void (!socket.writableNeedDrain && socket.writable && socket.write(frame(opcodes.pong, payload))),
    onClose: (code) => end(code ?? closeCodes.normal),
    onFault: end,
  });
  const read = (chunk: Uint8Array): void => guarded(() => reader.push(chunk), fail)();
  socket.on('data', read);
  socket.once('end', () => end(closeCodes.normal));
  const isBinary = String(headers['content-type']).startsWith(mediaTypes.protobuf);
  body.start(sinkOf(socket, isBinary ? binaryMessages : textMessages, () => end(closeCodes.normal)));
  if (head.length > 0) read(head);
}

function sinkOf(socket: Duplex, messagesOf: (chunk: Uint8Array) => Uint8Array[], end: () => void): StreamSink {
  return {
    write: (chunk) => {
      if (!socket.writable) return false;
      const frames = messagesOf(chunk);
      return socket.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
    },
    end,
    fail: () => socket.destroy(),
    onDrain: (listener) => socket.on('drain', listener),
    onClose: (listener) => socket.once('close', listener),
  };
}

const newline = 0x0a;

/** A chunk of a watch has whole events. In JSON each ends with a newline, and has no others. */
function textMessages(chunk: Uint8Array): Uint8Array[] {
  const messages: Uint8Array[] = [];
  for (let start = 0; start < chunk.length;) {
    const found = chunk.indexOf(newline, start);
    const end = found < 0 ? chunk.length : found + 1;
    messages.push(frame(opcodes.text, chunk.subarray(start, end)));
    start = end;
  }
  return messages;
}

/** In protobuf each event has a length prefix, which a message does not need. */
function binaryMessages(chunk: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const messages: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const stop = start + 4 + bytes.readUInt32BE(start);
    messages.push(frame(opcodes.binary, bytes.subarray(start + 4, stop)));
    start = stop;
  }
  return messages;
}
