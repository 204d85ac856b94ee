/** For tests: an API server in memory, spoken to through its handler, with a clock that stands still. */
import {
  administrator,
  type ApiRequest,
  type ApiResponse,
  type JsonObject,
  type Logger,
  type StreamSink,
  type User,
} from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { LoopTurns } from '@flotilla/timing';
import type { StaticToken } from '../access/authentication/bearer-tokens.ts';
import type { ServiceAccountTokenOptions } from '../access/authentication/service-account-tokens.ts';
import type { Admission } from '../admission/admission.ts';
import { bootstrap } from '../bootstrap/bootstrap.ts';
import type { HeavyThread } from '../heavy/heavy-thread.ts';
import type { InFlightLimits } from '../limits/in-flight-limit.ts';
import type { CallWebhook } from '../webhooks/webhook-call.ts';
import { createApiServer, type ApiServer } from './server.ts';
import { memoryEngine } from '../store/engine/memory-engine.ts';
import { defaultRetention } from '../store/log/retention.ts';
import type { Store } from '../store/store.ts';

export interface Answer {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly text: string;
  readonly body: JsonObject;
}

interface RequestOptions {
  readonly body?: JsonObject | string | Uint8Array;
  readonly type?: string;
  readonly accept?: string;
  readonly agent?: string;
  readonly user?: User | undefined;
  readonly headers?: Record<string, string>;
}

interface TestOptions {
  /** Of a server that ran before. */
  readonly store?: Store;
  readonly callWebhook?: CallWebhook;
  /** Unless something else is said, pods need no service accounts: nobody makes any here. */
  readonly disabledAdmission?: readonly string[];
  readonly logger?: Logger;
  readonly isStoreWell?: () => boolean;
  readonly admission?: readonly Admission[];
  readonly staticTokens?: readonly StaticToken[];
  readonly serviceAccountTokens?: ServiceAccountTokenOptions;
  readonly inFlightLimits?: InFlightLimits;
  readonly basePath?: string;
  readonly heavyThread?: HeavyThread;
}

export class TestServer {
  readonly api: ApiServer;
  readonly store: Store;
  readonly clock = new ManualClock();
  readonly turns = new LoopTurns();
  #uids = 0;

  private constructor(options: TestOptions) {
    const { store, ...rest } = options;
    this.store = store ?? memoryEngine({ clock: this.clock, retention: defaultRetention }).store('test');
    let seed = 1;
    this.api = createApiServer({
      store: this.store,
      clock: this.clock,
      turns: this.turns,
      uid: () => `00000000-0000-4000-8000-${String(++this.#uids).padStart(12, '0')}`,
      random: () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647,
      address: () => '127.0.0.1:6443',
      disabledAdmission: ['ServiceAccount'],
      ...rest,
    });
  }

  static async start(options: TestOptions = {}): Promise<TestServer> {
    const server = new TestServer(options);
    await bootstrap(server.api, 6443);
    return server;
  }

  async request(method: string, target: string, options: RequestOptions = {}): Promise<Answer> {
    const { status, headers, body } = await this.send(method, target, options);
    const text = await textOf(body);
    return { status, headers, text, body: parsed(text) };
  }

  send(method: string, target: string, options: RequestOptions = {}, signal?: AbortSignal): Promise<ApiResponse> {
    return Promise.resolve(this.api.handle(requestOf(method, target, options, signal)));
  }

  /** Opens a watch and collects what it sends. */
  async watch(target: string, options: RequestOptions = {}): Promise<TestWatch> {
    const stop = new AbortController();
    const { status, body } = await this.send('GET', target, options, stop.signal);
    if (status !== 200 || !('start' in body)) throw new Error(`the watch was refused: ${await textOf(body)}`);
    const watch = new TestWatch(stop, this.turns);
    body.start(watch.sink);
    return watch;
  }
}

/** The reading end of a watch; `full` makes it refuse more until `drain` is called. */
class TestWatch {
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

  /** The client goes away. */
  close(): void {
    this.#close();
  }

  /** The server stops. */
  stop(): void {
    this.#stop.abort();
  }

  /** What came so far, oldest first. Watches take turns, so what is on its way is waited for. */
  async events(): Promise<{ type: string; object: JsonObject }[]> {
    await this.#turns.whenIdle();
    const lines = Buffer.concat(this.#chunks).toString('utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as { type: string; object: JsonObject });
  }

  /** `ADDED a@1`, for comparing at a glance; revisions count from `start`. */
  async inWords(start: number): Promise<string[]> {
    return (await this.events()).map(({ type, object }) => {
      const { name = '', resourceVersion = '' } = (object['metadata'] ?? {}) as Record<string, string>;
      return `${type} ${name}@${Number(resourceVersion) - start}`;
    });
  }
}

function requestOf(method: string, target: string, options: RequestOptions, signal?: AbortSignal): ApiRequest {
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

function textOf(body: ApiResponse['body']): Promise<string> {
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

function parsed(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}
