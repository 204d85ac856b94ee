import type { MessagePort } from 'node:worker_threads';
import type { ApiHandler, ApiResponse, ResponseStream } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { messageOf } from '../connection-error.ts';
import { MessageBatch, ownBytes } from './message-batch.ts';
import type { SentRequest, ToCaller, ToServer } from './messages.ts';
import { PortRequest } from './port-request.ts';

type HandlerOf = (server: string) => ApiHandler;

/** Answers the requests of a `PortCaller` in another thread. `handlerOf` finds the server of a name. */
export function servePort(port: MessagePort, handlerOf: HandlerOf, turns: LoopTurns): void {
  const answering = new PortServer(new MessageBatch(port, turns), handlerOf);
  port.on('message', (messages: readonly ToServer[]) => {
    for (const message of messages) answering.receive(message);
  });
  port.on('close', () => answering.cancelAll());
}

const nothing = new Uint8Array();

class PortServer {
  readonly #batch: MessageBatch<ToCaller>;
  readonly #handlerOf: HandlerOf;
  readonly #running = new Map<number, PortRequest>();

  constructor(batch: MessageBatch<ToCaller>, handlerOf: HandlerOf) {
    this.#batch = batch;
    this.#handlerOf = handlerOf;
  }

  receive(message: ToServer): void {
    const { type, id } = message;
    if (type === 'request') return this.#begin(message);
    const request = this.#running.get(id);
    if (request === undefined) return;
    switch (type) {
      case 'body':
        return request.bodyCame(message.body);
      case 'taken':
        return request.taken(message.bytes);
      case 'cancel':
        this.#running.delete(id);
        return request.cancel();
    }
  }

  /** The other thread has ended. */
  cancelAll(): void {
    for (const request of this.#running.values()) request.cancel();
    this.#running.clear();
  }

  #begin(sent: SentRequest): void {
    const { id } = sent;
    const request = new PortRequest(sent, (limit) => this.#batch.post({ type: 'read', id, limit }));
    this.#running.set(id, request);
    const failed = (error: unknown): void => this.#end(id, messageOf(error));
    try {
      const response = this.#handlerOf(sent.server)(request);
      if (response instanceof Promise) response.then((answered) => this.#answer(id, answered)).catch(failed);
      else this.#answer(id, response);
    } catch (error) {
      failed(error);
    }
  }

  #answer(id: number, { status, headers, body, identity }: ApiResponse): void {
    const request = this.#running.get(id);
    if (request === undefined) return;
    const head = { type: 'answer', id, status, headers } as const;
    if ('start' in body) {
      this.#batch.post({ ...head, body: { isCompressible: body.isCompressible }, identity: undefined });
      return this.#stream(id, request, body);
    }
    this.#running.delete(id);
    const known = identity?.();
    const bytes = body instanceof Uint8Array ? body : Buffer.concat(body);
    const isLeftOut = request.wantsIdentity && known !== undefined;
    this.#batch.post({ ...head, body: isLeftOut ? nothing : ownBytes(bytes), identity: known });
    request.end();
  }

  #stream(id: number, request: PortRequest, stream: ResponseStream): void {
    stream.start({
      write: (chunk) => {
        if (!this.#running.has(id)) return false;
        this.#batch.post({ type: 'chunk', id, bytes: ownBytes(chunk) });
        return request.wrote(chunk.length);
      },
      end: () => this.#end(id, undefined),
      fail: (error) => this.#end(id, messageOf(error)),
      onDrain: (listener) => request.onDrain(listener),
      onClose: (listener) => request.onClose(listener),
    });
  }

  #end(id: number, failure: string | undefined): void {
    const request = this.#running.get(id);
    if (request === undefined) return;
    this.#running.delete(id);
    this.#batch.post({ type: 'end', id, failure });
    request.end();
  }
}
