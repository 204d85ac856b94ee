import { errorMessage, isExpired, type Logger } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { retryDelay } from './resuming.ts';

export interface ReopenedViewOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Starts after this revision instead of with the existing objects. */
  readonly after?: number | undefined;
}

/** Opens a view again when it ends, and remembers where to continue. */
export class ReopenedView {
  readonly #options: ReopenedViewOptions;
  readonly #open: () => void;
  /** Stops the view, or cancels the timer that opens the next one. */
  #stopView: () => void = () => {};
  #failures = 0;
  #isStopped = false;
  /** Revision of the last notification; readers may see newer objects. Undefined if there is none, or it has expired. */
  notified: number | undefined;
  /** The error that keeps it from following the server; undefined if there is none. */
  failure: string | undefined;

  /** `open` calls `follow`, or throws. */
  constructor(options: ReopenedViewOptions, open: () => void) {
    this.#options = options;
    this.#open = open;
    this.notified = options.after;
  }

  open(): void {
    if (this.#isStopped) return;
    try {
      this.#open();
    } catch (error) {
      this.ended(error);
    }
  }

  /** Follows the view, which must call `changed` and `ended`. Returns whether its existing objects replace all earlier changes. */
  follow(view: { revision(): number }, start: (after: number | undefined) => () => void): boolean {
    const after = this.notified;
    this.notified ??= view.revision();
    this.failure = undefined;
    this.#stopView = start(after);
    return after === undefined;
  }

  changed(revision: number): void {
    this.#failures = 0;
    this.notified = revision;
  }

  ended(error: unknown): void {
    if (this.#isStopped) return;
    const { clock, random, logger } = this.#options;
    if (isExpired(error)) this.notified = undefined;
    this.failure = errorMessage(error);
    const delayMs = retryDelay(error, this.#failures++, random);
    logger.debug('view ended, opening another', { delayMs, error });
    this.#stopView = clock.after(delayMs, () => this.open());
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopView();
  }
}
