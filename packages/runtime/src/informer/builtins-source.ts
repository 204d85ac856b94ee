import type { Client } from '@flotilla/client';
import type { BuiltinsView, Kind, ViewChange } from '@flotilla/kube';
import type { ObjectChange } from './object-source.ts';
import { ReopenedView, type ReopenedViewOptions } from './reopened-view.ts';
import { ViewedChange } from './viewed-source.ts';

export interface BuiltinsSourceOptions extends ReopenedViewOptions {
  readonly viewBuiltins: NonNullable<Client['viewBuiltins']>;
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
  readonly #reopened: ReopenedView;
  #listener: BuiltinsListener | undefined;
  #view: BuiltinsView | undefined;

  constructor(options: BuiltinsSourceOptions) {
    this.#reopened = new ReopenedView(options, () => this.#follow(options.viewBuiltins()));
  }

  /** Undefined while it cannot follow the server. */
  get view(): BuiltinsView | undefined {
    return this.failure === undefined ? this.#view : undefined;
  }

  /** The error that keeps it from following the server; undefined if there is none. */
  get failure(): string | undefined {
    return this.#reopened.failure;
  }

  start(listener: BuiltinsListener): void {
    this.#listener = listener;
    this.#reopened.open();
  }

  stop(): void {
    this.#reopened.stop();
  }

  #follow(view: BuiltinsView): void {
    this.#view = view;
    const isNew = this.#reopened.follow(view, (after) =>
      view.follow(
        (kind, change) => this.#notify(kind, change),
        (error) => this.#reopened.ended(error),
        after,
      ),
    );
    if (isNew) this.#listener?.opened(view);
    this.#listener?.synced?.(view);
  }

  #notify(kind: Kind, change: ViewChange): void {
    this.#reopened.changed(change.revision);
    this.#listener?.changed(kind, new ViewedChange(change));
  }
}
