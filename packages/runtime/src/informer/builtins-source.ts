import type { Client } from '@flotilla/client';
import { errorMessage, isExpired, type BuiltinsView, type Kind, type Logger, type ViewChange } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import type { ObjectChange } from './object-source.ts';
import { retryDelay } from './resuming.ts';
import { ViewedChange } from './viewed-source.ts';

export interface BuiltinsSourceOptions {
  readonly viewBuiltins: NonNullable<Client['viewBuiltins']>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Starts after this revision instead of with the existing objects. */
  readonly after?: number | undefined;
}

export interface BuiltinsListener {
  /** Called once for each change, in order, when readers can see it. `kind` is the preferred version. */
  readonly changed: (kind: Kind, change: ObjectChange) => void;
  /** Existing objects can be read, without `changed` for them. Replaces all earlier changes. */
  readonly opened: (view: BuiltinsView) => void;
  /** It follows the server, from its start on or again after a failure. Called after `opened`. */
  readonly synced?: (view: BuiltinsView) => void;
}

/** The objects of all built-in kinds on a server in this process: one view for all, which opens again when it ends. */
export class BuiltinsSource {
  readonly #options: BuiltinsSourceOptions;
  #listener: BuiltinsListener | undefined;
  #view: BuiltinsView | undefined;
  /** Stops the view, or cancels the timer that opens the next one. */
  #stopView: () => void = () => {};
  /** Revision of the last notification. Undefined if there is none, or it has expired. */
  #notified: number | undefined;
  #failures = 0;
  #failure: string | undefined;
  #isStopped = false;

  constructor(options: BuiltinsSourceOptions) {
    this.#options = options;
    this.#notified = options.after;
  }

  /** Undefined while it cannot follow the server. */
  get view(): BuiltinsView | undefined {
    return this.#failure === undefined ? this.#view : undefined;
  }

  /** The error that keeps it from following the server; undefined if there is none. */
  get failure(): string | undefined {
    return this.#failure;
  }

  start(listener: BuiltinsListener): void {
    this.#listener = listener;
    this.#open();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopView();
  }

  #open(): void {
    if (this.#isStopped) return;
    try {
      this.#follow(this.#options.viewBuiltins());
    } catch (error) {
      this.#retry(error);
    }
  }

  #follow(view: BuiltinsView): void {
    const after = this.#notified;
    this.#view = view;
    this.#notified ??= view.revision();
    this.#failure = undefined;
    this.#stopView = view.follow(
      (kind, change) => this.#notify(kind, change),
      (error) => this.#retry(error),
      after,
    );
    if (after === undefined) this.#listener?.opened(view);
    this.#listener?.synced?.(view);
  }

  #notify(kind: Kind, change: ViewChange): void {
    this.#failures = 0;
    this.#notified = change.revision;
    this.#listener?.changed(kind, new ViewedChange(change));
  }

  #retry(error: unknown): void {
    if (this.#isStopped) return;
    const { clock, random, logger } = this.#options;
    if (isExpired(error)) this.#notified = undefined;
    this.#failure = errorMessage(error);
    const delayMs = retryDelay(error, this.#failures++, random);
    logger.debug('view of built-in kinds ended, opening another', { delayMs, error });
    this.#stopView = clock.after(delayMs, () => this.#open());
  }
}
