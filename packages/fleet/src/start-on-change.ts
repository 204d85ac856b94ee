import type { Store } from '@flotilla/apiserver';
import type { Logger } from '@flotilla/kube';

/** A store that began as a copy of one whose controllers had nothing left to do. */
export class CopiedStore {
  readonly #store: Store;
  readonly #revision: number;

  constructor(store: Store) {
    this.#store = store;
    this.#revision = store.revision;
  }

  /** Whether an object has changed since. */
  get hasChanged(): boolean {
    return this.#store.revision > this.#revision;
  }

  whenChanged(signal: AbortSignal): Promise<void> {
    return this.#store.waitFor(this.#revision + 1, signal);
  }
}

interface Controllers {
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Controllers that start with the first change of their server. Most members of a large fleet have none for long. */
export class ControllersOnChange<Running extends Controllers> implements Controllers {
  readonly #copied: CopiedStore;
  readonly #stopping = new AbortController();
  readonly #started: Promise<void>;
  #running: Running | undefined;
  #hasFailed = false;

  constructor(copied: CopiedStore, start: () => Promise<Running>, logger: Logger) {
    this.#copied = copied;
    this.#started = this.#startOnChange(start).catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      this.#hasFailed = true;
      logger.error('controllers did not start', { error });
    });
  }

  /** Undefined if no object has changed. */
  async running(): Promise<Running | undefined> {
    if (this.#copied.hasChanged) await this.#started;
    return this.#running;
  }

  readonly isAtRest = (): boolean => this.#running?.isAtRest() ?? (this.#hasFailed || !this.#copied.hasChanged);

  readonly stop = async (): Promise<void> => {
    this.#stopping.abort(stopped);
    await this.#started;
    await this.#running?.stop();
  };

  async #startOnChange(start: () => Promise<Running>): Promise<void> {
    await this.#copied.whenChanged(this.#stopping.signal);
    this.#running = await start();
  }
}

/** One for all: a reason of its own, with a stack, would be most of the cost of stopping. */
const stopped = new Error('stopped');
