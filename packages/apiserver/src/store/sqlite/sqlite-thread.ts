import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { errorMessage } from '@flotilla/kube';
import { UnusableDatabase } from '../disk/database-header.ts';
import type { LogRows } from './log-rows.ts';
import type { Answer, FoundStore, Refusal, Request, Task, WorkerStart } from './sqlite-messages.ts';
import { StoreFull, StoreUnavailable } from '../store.ts';

/** Receives the content of the file when the worker starts. */
interface Loader {
  found(stores: readonly FoundStore[]): void;
  rows(rows: LogRows): void;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Another process has locked the file. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/** The main thread's side of the worker: starts it, sends tasks, receives answers. */
export class SqliteThread {
  readonly #file: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastNumber = 0;
  #ended: StoreUnavailable | undefined;
  #wasFullAtStart = false;
  /** Resolves when the loader has received the whole file. Tasks wait for that. */
  readonly loaded: Promise<void>;

  constructor(start: WorkerStart, loader: Loader) {
    this.#file = start.file;
    // In a bundle neither this file nor the worker ends in `.ts`.
    const program = new URL(`./sqlite-worker${extname(import.meta.url)}`, import.meta.url);
    this.#worker = new Worker(program, {
      workerData: start,
      // Node options of the main program, such as --input-type, may not suit a worker.
      execArgv: [],
      // The worker's garbage is mostly buffers behind small objects. Early collection keeps them few.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    });
    this.loaded = this.#load(loader);
  }

  /** Whether the disk had no room for the reserve when the file was opened. Known when the file is loaded. */
  get wasFullAtStart(): boolean {
    return this.#wasFullAtStart;
  }

  /** `transfer` lists buffers that move to the worker and are empty here afterwards. */
  async perform(task: Task, transfer: ArrayBuffer[] = []): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended;
    const request: Request = { ...task, number: ++this.#lastNumber };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.number, { resolve, reject });
      this.#worker.postMessage(request, transfer);
    });
  }

  /** Finishes pending requests, then ends the worker, which releases the lock. */
  async stop(): Promise<void> {
    if (this.#ended !== undefined) return;
    const exited = once(this.#worker, 'exit');
    await this.perform({ task: 'close' });
    await exited;
  }

  async #load(loader: Loader): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => this.#listen(loader, { resolve, reject }));
    } catch (error) {
      this.#end(errorMessage(error));
      await this.#worker.terminate();
      throw error;
    }
  }

  #listen(loader: Loader, started: Waiting): void {
    this.#worker.on('message', (answer: Answer) => this.#handle(answer, loader, started));
    const end = (reason: string): void => started.reject(this.#end(reason));
    this.#worker.on('error', (error: Error) => end(`the storage thread failed: ${error.message}`));
    this.#worker.on('exit', () => end('the store is closed'));
  }

  #handle(answer: Answer, loader: Loader, started: Waiting): void {
    switch (answer.kind) {
      case 'found':
        return loader.found(answer.stores);
      case 'rows':
        return this.#addRows(answer.rows, loader, started);
      case 'loaded':
        this.#wasFullAtStart = answer.isFull;
        return started.resolve();
      case 'refused':
        return started.reject(refusalOf(this.#file, answer.why));
      case 'done':
        return this.#settle(answer.number)?.resolve();
      case 'failed':
        return this.#settle(answer.number)?.reject(
          answer.isFull ? new StoreFull(answer.message) : new StoreUnavailable(answer.message),
        );
    }
  }

  #addRows(rows: LogRows, loader: Loader, started: Waiting): void {
    try {
      loader.rows(rows);
    } catch (error) {
      started.reject(new UnusableDatabase(this.#file, `is damaged (${(error as Error).message})`));
    }
  }

  #settle(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    return waiting;
  }

  /** Returns why tasks fail from now on. */
  #end(reason: string): StoreUnavailable {
    const ended = (this.#ended ??= new StoreUnavailable(reason));
    for (const { reject } of this.#waiting.values()) reject(ended);
    this.#waiting.clear();
    return ended;
  }
}

function refusalOf(file: string, why: Refusal): Error {
  switch (why.reason) {
    case 'busy':
      return new DatabaseBusy(`${file} is in use`);
    case 'unusable':
      return new UnusableDatabase(file, why.problem);
    case 'failed':
      return new StoreUnavailable(`${file} cannot be opened: ${why.message}`);
  }
}
