import type { Store } from '@flotilla/apiserver';
import type { Logger } from '@flotilla/kube';

type WatchedStore = Pick<Store, 'revision' | 'waitFor'>;

/**
 * A store whose controllers need not start before an object changes: it began as a copy of one whose controllers had nothing left to
 * do, or its controllers have run before, and time may have brought them something to do.
 */
export class RestingStore {
  readonly #store: WatchedStore;
  readonly #revision: number;
  readonly #turn: Promise<unknown> | undefined;

  /** `turn`: when controllers that have run before start all the same. */
  constructor(store: WatchedStore, turn?: Promise<unknown>) {
    this.#store = store;
    this.#revision = store.revision;
    this.#turn = turn;
  }

  /** Whether its controllers have run before, and start all the same. */
  get hasTurn(): boolean {
    return this.#turn !== undefined;
  }

  /** The revision at which its controllers had nothing left to do; undefined if time may have brought them something since. */
  get restedAt(): number | undefined {
    return this.hasTurn ? undefined : this.#revision;
  }

  /** Whether its controllers have something to do, or may have. */
  get needsControllers(): boolean {
    return this.hasTurn || this.#store.revision > this.#revision;
  }

  /** Resolves with the first change, or when it is the turn of this store. */
  async whenToStart(signal: AbortSignal): Promise<void> {
    const changed = this.#store.waitFor(this.#revision + 1, signal);
    await (this.#turn ? Promise.race([changed, this.#turn]) : changed);
    signal.throwIfAborted();
  }
}

interface Controllers {
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Controllers that start when their server needs them. Most members of a large fleet have no change for long. */
export class ControllersOnChange<Running extends Controllers> implements Controllers {
  readonly #store: RestingStore;
  readonly #stopping = new AbortController();
  readonly #started: Promise<void>;
  #running: Running | undefined;
  #hasFailed = false;

  constructor(store: RestingStore, start: () => Promise<Running>, logger: Logger) {
    this.#store = store;
    this.#started = this.#startOnChange(start).catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      this.#hasFailed = true;
      logger.error('controllers did not start', { error });
    });
  }

  /** Resolves when they have started or failed. */
  get started(): Promise<void> {
    return this.#started;
  }

  /** Undefined if they need not start yet. */
  async running(): Promise<Running | undefined> {
    if (this.#store.needsControllers) await this.#started;
    return this.#running;
  }

  readonly isAtRest = (): boolean => this.#running?.isAtRest() ?? (this.#hasFailed || !this.#store.needsControllers);

  readonly stop = async (): Promise<void> => {
    this.#stopping.abort(stopped);
    await this.#started;
    await this.#running?.stop();
  };

  async #startOnChange(start: () => Promise<Running>): Promise<void> {
    await this.#store.whenToStart(this.#stopping.signal);
    this.#running = await start();
  }
}

/** One for all: a reason of its own, with a stack, would be most of the cost of stopping. */
const stopped = new Error('stopped');
