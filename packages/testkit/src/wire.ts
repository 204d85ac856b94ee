/** Requests without sockets and clients, and their answers as bytes and as JSON. */
import {
  administrator,
  type ApiRequest,
  type ApiResponse,
  type JsonObject,
  type StreamSink,
  type User,
} from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';

export interface WireAnswer {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly text: string;
  readonly body: JsonObject;
}

export interface WireRequestOptions {
  readonly body?: JsonObject | string | Uint8Array;
  readonly type?: string;
  readonly accept?: string;
  readonly agent?: string;
  readonly user?: User | undefined;
  readonly headers?: Record<string, string>;
}

/** The reading end of a watch. With `isFull` it reports back-pressure until `drain` is called. */
export class TestWatch {
  readonly #chunks: Buffer[] = [];
  readonly #stop: AbortController;
  readonly #turns: LoopTurns;
  #drain: () => void = () => undefined;
  #close: () => void = () => undefined;
  isFull = false;
  isEnded = false;

  constructor(stop: AbortController, turns: LoopTurns) {
    this.#stop = stop;
    this.#turns = turns;
  }

  readonly sink: StreamSink = {
    write: (chunk) => {
      this.#chunks.push(Buffer.from(chunk));
      return !this.isFull;
    },
    end: () => {
      this.isEnded = true;
    },
    fail: (error) => {
      throw error;
    },
    onDrain: (listener) => {
      this.#drain = listener;
    },
    onClose: (listener) => {
      this.#close = listener;
    },
  };

  drain(): void {
    this.isFull = false;
    this.#drain();
  }

  /** Acts like a client that disconnects. */
  close(): void {
    this.#close();
  }

  /** Aborts the request, as a stopping server does. */
  stop(): void {
    this.#stop.abort();
  }

  /** The events so far, oldest first. Waits for watches that have yielded to the event loop. */
  async events(): Promise<{ type: string; object: JsonObject }[]> {
    await this.#turns.whenIdle();
    const lines = Buffer.concat(this.#chunks).toString('utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as { type: string; object: JsonObject });
  }

  /** The events as `ADDED a@1`, with revisions relative to `start`. */
  async summaries(start: number): Promise<string[]> {
    return (await this.events()).map(({ type, object }) => {
      const { name = '', resourceVersion = '' } = (object['metadata'] ?? {}) as Record<string, string>;
      return `${type} ${name}@${Number(resourceVersion) - start}`;
    });
  }
}

export function requestOf(
  method: string,
  target: string,
  options: WireRequestOptions,
  signal?: AbortSignal,
): ApiRequest {
  const [path = '', query = ''] = target.split('?', 2);
  const { body, type = 'application/json', accept, agent = 'test', headers } = options;
  const bytes =
    body === undefined
      ? new Uint8Array()
      : body instanceof Uint8Array
        ? body
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    method,
    path,
    query,
    headers: { 'user-agent': agent, 'content-type': type, ...(accept && { accept }), ...headers },
    user: 'user' in options ? options.user : administrator,
    body: () => Promise.resolve(bytes),
    signal: signal ?? new AbortController().signal,
  };
}

export function textOf(body: ApiResponse['body']): Promise<string> {
  if (body instanceof Uint8Array) return Promise.resolve(Buffer.from(body).toString('utf8'));
  if (!('start' in body)) return Promise.resolve(Buffer.concat(body).toString('utf8'));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    body.start({
      write: (chunk) => chunks.push(Buffer.from(chunk)) > 0,
      end: () => resolve(Buffer.concat(chunks).toString('utf8')),
      fail: reject,
      onDrain: () => undefined,
      onClose: () => undefined,
    });
  });
}

export function parsed(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}
