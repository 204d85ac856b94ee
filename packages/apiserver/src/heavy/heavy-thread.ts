import { extname } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { apiErrors, pushAll, silentLogger, type Logger } from '@flotilla/kube';
import { addCollected } from '../audit/collected-audit.ts';
import type { RequestAudit } from '../audit/request-audit.ts';
import { FairQueue } from './fair-queue.ts';
import { announceNews, answerHostCalls, newFlag, performCounted, type WorkerStart } from './host-calls.ts';
import type { HostFunctions } from './host-functions.ts';
import type { WorkerNotices } from './host-server.ts';
import { deserializeError, serializeError } from './serialized-error.ts';
import type { Answer, FromWorker, Job, ToWorker } from './thread-messages.ts';

export interface HeavyThreadOptions {
  /** The worker's program; by default the one without added admission plugins. */
  readonly program?: URL;
  /** Names of the admission plugins that the program adds to Kubernetes' own. */
  readonly addedAdmission?: readonly string[];
  /** Given to the program, which makes these plugins. Plain data. */
  readonly pluginSettings?: unknown;
  /** Requests whose body and stored object together have more bytes run in the worker. */
  readonly heavyBytes?: number;
  readonly logger?: Logger;
}

export interface HeavyJob {
  readonly job: Job;
  /** Receives the warnings of a request that fails. */
  readonly warnings: string[];
  /** Receives what the worker adds to the audit event. */
  readonly audit?: RequestAudit | undefined;
  /** Called when the job leaves the queue. */
  readonly isWanted: () => boolean;
}

interface Pending extends HeavyJob {
  readonly caller: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface RegisteredServer {
  readonly functions: HostFunctions;
  jobs: number;
  isStopped: boolean;
}

/** Ordinary requests take about 0.1 ms per KiB, the worst known ones ten times that. */
const defaultHeavyBytes = 32 * 1024;

/** Jobs also wait for the disk, so several at once keep the worker busy. */
const maxRunning = 8;

/**
 * The thread that runs heavy requests, shared by all servers of a process. It starts with the first heavy request. After a
 * failure it starts again with the next one.
 */
export class HeavyThread {
  readonly addedAdmission: readonly string[];
  readonly heavyBytes: number;
  readonly #program: URL;
  readonly #pluginSettings: unknown;
  readonly #logger: Logger;
  readonly #servers = new Map<number, RegisteredServer>();
  readonly #queue = new FairQueue<Pending>(maxRunning);
  readonly #running = new Map<number, Pending>();
  #worker: Worker | undefined;
  /** Shared with the worker. */
  #flag: SharedArrayBuffer | undefined;
  #lastNumber = 0;
  #isStopped = false;

  constructor(options: HeavyThreadOptions = {}) {
    this.#program = options.program ?? defaultProgram();
    this.#pluginSettings = options.pluginSettings;
    this.addedAdmission = options.addedAdmission ?? [];
    this.heavyBytes = options.heavyBytes ?? defaultHeavyBytes;
    this.#logger = options.logger ?? silentLogger;
  }

  /** Registers a server; returns its number. */
  add(functionsOf: (notices: WorkerNotices) => HostFunctions): number {
    const number = ++this.#lastNumber;
    const functions = functionsOf({
      issue: (outcome) => this.#issue(outcome),
      announceNews: () => this.#flag && announceNews(this.#flag),
    });
    this.#servers.set(number, { functions, jobs: 0, isStopped: false });
    return number;
  }

  /** Unregisters a server once its jobs are done. */
  remove(number: number): void {
    const server = this.#servers.get(number);
    if (!server) return;
    server.isStopped = true;
    if (server.jobs === 0) this.#servers.delete(number);
  }

  run(work: HeavyJob): Promise<Answer> {
    const { server, user } = work.job;
    this.#count(server.number, 1);
    const caller = user?.name ?? '';
    return new Promise<Answer>((resolve, reject) => {
      this.#queue.push(caller, { ...work, caller, resolve, reject });
      this.#dispatch();
    }).finally(() => this.#count(server.number, -1));
  }

  #count(number: number, change: number): void {
    const server = this.#servers.get(number);
    if (!server) return;
    server.jobs += change;
    if (server.isStopped) this.remove(number);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#worker?.terminate();
  }

  #dispatch(): void {
    for (let pending = this.#queue.shift(); pending; pending = this.#queue.shift()) {
      try {
        if (this.#isStopped) throw apiErrors.serviceUnavailable('the server is stopping');
        // The client gets no answer any more. A timeout, unlike a fault, is not logged as an error.
        if (!pending.isWanted()) throw apiErrors.timeout('the request ended before it left the queue');
        this.#start(pending);
      } catch (error) {
        this.#queue.end(pending.caller);
        pending.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #start(pending: Pending): void {
    const number = ++this.#lastNumber;
    const message: ToWorker = { kind: 'job', number, job: pending.job };
    (this.#worker ??= this.#startWorker()).postMessage(message, []);
    this.#running.set(number, pending);
  }

  #startWorker(): Worker {
    const { port1: port, port2: remotePort } = new MessageChannel();
    const flag = (this.#flag = newFlag());
    const workerData: WorkerStart = { port: remotePort, flag, pluginSettings: this.#pluginSettings };
    answerHostCalls({ port, flag }, (server) => this.#functionsOf(server));
    // A worker does not accept all arguments of the main program, such as --input-type.
    const worker = new Worker(this.#program, { workerData, transferList: [remotePort], execArgv: [] });
    worker.on('message', (message: FromWorker) => this.#finish(message));
    worker.on('error', (error) => this.#logger.error('worker for heavy requests failed', { error }));
    worker.on('exit', () => {
      port.close();
      this.#abandon();
    });
    worker.unref();
    return worker;
  }

  #functionsOf(server: number): HostFunctions {
    const known = this.#servers.get(server);
    if (!known) throw new Error('the server was stopped');
    return known.functions;
  }

  #issue(outcome: Promise<unknown>): number {
    const ticket = ++this.#lastNumber;
    // A new worker must not get the outcome of a call that a failed worker made.
    const worker = this.#worker;
    const send = (message: ToWorker): void => {
      if (this.#worker === worker) worker?.postMessage(message, []);
    };
    outcome.then(
      (value) => send({ kind: 'outcome', ticket, value }),
      (error: unknown) => send({ kind: 'outcome', ticket, error: serializeError(error) }),
    );
    return ticket;
  }

  #finish({ number, answer, error, warnings, counted, audit }: FromWorker): void {
    performCounted(counted, (server) => this.#servers.get(server)?.functions);
    const pending = this.#running.get(number);
    if (!pending) return;
    this.#running.delete(number);
    this.#queue.end(pending.caller);
    if (audit && pending.audit) addCollected(pending.audit, audit);
    if (answer) pending.resolve(answer);
    else if (error) {
      pushAll(pending.warnings, warnings);
      pending.reject(deserializeError(error));
    }
    this.#dispatch();
  }

  /** Fails the jobs of a worker that exited. What they have written stays. */
  #abandon(): void {
    this.#worker = undefined;
    const abandoned = [...this.#running.values()];
    this.#running.clear();
    for (const { caller, reject } of abandoned) {
      this.#queue.end(caller);
      reject(new Error('the worker for heavy requests exited'));
    }
    this.#dispatch();
  }
}

/** Has the extension of this file, which is not `.ts` in a bundle. */
function defaultProgram(): URL {
  return new URL(`./heavy-worker${extname(import.meta.url)}`, import.meta.url);
}
