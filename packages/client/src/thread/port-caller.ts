import type { MessagePort } from 'node:worker_threads';
import {
  ApiError,
  apiErrors,
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  type StreamSink,
} from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { messageOf } from '../connection-error.ts';
import { MessageBatch, ownBytes } from './message-batch.ts';
import type { Answered, Piece, ToCaller, ToServer } from './messages.ts';

/** Of bodies on their way to the other thread, whose server counts them by user only once it has them. */
const maxBodyBytes = 64 * 1024 * 1024;

/** The server hears of so many bytes that were read, a small part of what it sends ahead. A message for each event would cost as much as the event. */
const minTakenBytes = 64 * 1024;

interface Asked {
  readonly request: ApiRequest;
  readonly resolve: (response: ApiResponse) => void;
  readonly reject: (error: Error) => void;
  isAnswered: boolean;
  /** Where a stream goes, once its reader has started it. */
  sink?: StreamSink;
  /** What came before that. */
  readonly early: Piece[];
  /** Read by us, but not yet by a slow reader. */
  owedBytes: number;
}

/** Sends requests to servers in another thread, behind a port that `servePort` serves there. */
export class PortCaller {
  readonly #batch: MessageBatch<ToServer>;
  readonly #asked = new Map<number, Asked>();
  #lastId = 0;
  #bodyBytes = 0;
  #ended: Error | undefined;

  constructor(port: MessagePort, turns: LoopTurns) {
    this.#batch = new MessageBatch(port, turns);
    port.on('message', (messages: readonly ToCaller[]) => {
      for (const message of messages) this.#receive(message);
    });
    port.on('close', () => this.#end());
  }

  /** The server of this name. */
  handlerOf(server: string): ApiHandler {
    return (request) => this.#send(server, request);
  }

  #send(server: string, request: ApiRequest): Promise<ApiResponse> {
    if (this.#ended) return Promise.reject(this.#ended);
    const { signal } = request;
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const id = ++this.#lastId;
    const cancel = (): void => this.#cancel(id);
    const answer = new Promise<ApiResponse>((resolve, reject) => {
      this.#asked.set(id, { request, resolve, reject, isAnswered: false, early: [], owedBytes: 0 });
      signal.addEventListener('abort', cancel, { once: true });
      this.#batch.post(sentOf(id, server, request));
    });
    return answer.finally(() => signal.removeEventListener('abort', cancel));
  }

  #receive(message: ToCaller): void {
    const asked = this.#asked.get(message.id);
    if (asked === undefined) return;
    switch (message.type) {
      case 'read':
        return void this.#sendBody(message.id, asked.request, message.limit);
      case 'answer':
        asked.isAnswered = true;
        if (message.body instanceof Uint8Array) this.#asked.delete(message.id);
        return asked.resolve(this.#responseOf(message, asked));
      case 'chunk':
      case 'end':
        if (asked.sink) return this.#pass(asked, asked.sink, message);
        if (asked.isAnswered) return void asked.early.push(message);
        // The server failed without an answer.
        this.#asked.delete(message.id);
        return asked.reject(new Error(message.type === 'end' ? message.failure : 'no answer'));
    }
  }

  #responseOf({ id, status, headers, body, identity }: Answered, asked: Asked): ApiResponse {
    if (body instanceof Uint8Array) return { status, headers, body, ...(identity && { identity: () => identity }) };
    const start = (sink: StreamSink): void => {
      asked.sink = sink;
      sink.onClose(() => this.#cancel(id));
      sink.onDrain(() => this.#taken(id, asked));
      for (const piece of asked.early.splice(0)) this.#pass(asked, sink, piece);
    };
    return { status, headers, body: { isCompressible: body.isCompressible, start } };
  }

  #pass(asked: Asked, sink: StreamSink, piece: Piece): void {
    const { id } = piece;
    if (piece.type === 'chunk') {
      asked.owedBytes += piece.bytes.length;
      if (sink.write(piece.bytes)) this.#taken(id, asked);
      return;
    }
    this.#asked.delete(id);
    if (piece.failure === undefined) sink.end();
    else sink.fail(new Error(piece.failure));
  }

  #taken(id: number, asked: Asked): void {
    if (asked.owedBytes < minTakenBytes) return;
    this.#batch.post({ type: 'taken', id, bytes: asked.owedBytes });
    asked.owedBytes = 0;
  }

  async #sendBody(id: number, request: ApiRequest, limit: number): Promise<void> {
    let read = 0;
    const received = (bytes: number): void => {
      read += bytes;
      this.#bodyBytes += bytes;
      if (this.#bodyBytes > maxBodyBytes) throw apiErrors.tooManyRequests('too many bodies at once', 1);
    };
    const body = await request.body(limit, { received }).then(ownBytes, refusalOf);
    this.#bodyBytes -= read;
    if (this.#asked.has(id)) this.#batch.post({ type: 'body', id, body });
  }

  /** Does nothing after the end of the answer. */
  #cancel(id: number): void {
    if (this.#asked.delete(id)) this.#batch.post({ type: 'cancel', id });
  }

  #end(): void {
    this.#ended = new Error('the thread of the server has ended');
    for (const { reject, sink } of this.#asked.values()) {
      reject(this.#ended);
      sink?.fail(this.#ended);
    }
    this.#asked.clear();
  }
}

function refusalOf(error: unknown): ApiError['status'] {
  return (error instanceof ApiError ? error : apiErrors.badRequest(messageOf(error))).status;
}

function sentOf(id: number, server: string, request: ApiRequest): ToServer {
  const { method, path, query, headers, headerLists, user, receivedBody } = request;
  const { remoteAddress, auditId } = request;
  const body = receivedBody && ownBytes(receivedBody.bytes);
  return {
    type: 'request',
    id,
    server,
    method,
    path,
    query,
    headers,
    headerLists,
    user,
    body,
    isPrinted: receivedBody?.isPrinted === true,
    wantsIdentity: request.wantsIdentity === true,
    remoteAddress,
    auditId,
  };
}
