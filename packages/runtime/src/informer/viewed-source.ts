/** The objects of a kind on a server in this process: a view of the server's index, without copies. */
import { errorMessage, isExpired, type LiveView, type ObjectKey, type Outline, type ViewChange } from '@flotilla/kube';
import { ListedSource, type ListedSourceOptions } from './listed-source.ts';
import type { ObjectChange, ObjectSource, Outlined, ReadonlyObject, SourceListener } from './object-source.ts';
import { retryDelay } from './resuming.ts';

export interface ViewedSourceOptions extends ListedSourceOptions {
  /** Continues an earlier source of the same objects at this revision, without notifications for earlier changes. */
  readonly after?: number | undefined;
}

/** Holds no promise and no timer while its view lasts: a process may have a source for every kind of a thousand servers. */
export class ViewedSource implements ObjectSource {
  readonly #options: ViewedSourceOptions;
  #listener: SourceListener | undefined;
  #view: LiveView | undefined;
  /** Stops the view, or cancels the timer that opens the next one. */
  #stopView: () => void = nothing;
  /** Used for kinds that cannot be viewed. */
  #listed: ListedSource | undefined;
  /** Revision of the last notification; readers may see newer objects. Undefined if there is none, or it has expired. */
  #notified: number | undefined;
  #failures = 0;
  #failure: string | undefined;
  #isStopped = false;

  constructor(options: ViewedSourceOptions) {
    this.#options = options;
    this.#notified = options.after;
  }

  get(key: ObjectKey): ReadonlyObject | undefined {
    return this.#listed === undefined ? this.#view?.get(key) : this.#listed.get(key);
  }

  all(namespace?: string): Iterable<ReadonlyObject> {
    return (this.#listed ?? this.#view)?.all(namespace) ?? [];
  }

  outline(key: ObjectKey): Outline | undefined {
    return this.#listed === undefined ? this.#view?.outline(key) : this.#listed.outline(key);
  }

  outlines(namespace?: string): Iterable<Outlined> {
    return (this.#listed ?? this.#view)?.outlines(namespace) ?? [];
  }

  get size(): number {
    return this.#listed?.size ?? this.#view?.size() ?? 0;
  }

  get revision(): number {
    return this.#listed?.revision ?? this.#notified ?? 0;
  }

  get failure(): string | undefined {
    return this.#listed === undefined ? this.#failure : this.#listed.failure;
  }

  get isView(): boolean {
    return this.#view !== undefined && this.#listed === undefined && this.#failure === undefined;
  }

  start(listener: SourceListener): void {
    this.#listener = listener;
    this.#open();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopView();
    await this.#listed?.stop();
  }

  #open(): void {
    if (this.#isStopped) return;
    const { client, kind, namespace, fieldSelector } = this.#options;
    try {
      const view = client.view?.(kind, {
        ...(namespace === undefined ? {} : { namespace }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
      });
      if (view === undefined) this.#list();
      else this.#follow(view);
    } catch (error) {
      this.#retry(error);
    }
  }

  #list(): void {
    if (this.#listener === undefined) return;
    this.#listed = new ListedSource(this.#options);
    if (this.#view !== undefined || this.#notified !== undefined) this.#listener.opened();
    this.#listed.start(this.#listener);
  }

  #follow(view: LiveView): void {
    const after = this.#notified;
    this.#view = view;
    this.#notified ??= view.revision();
    this.#failure = undefined;
    this.#stopView = view.follow(
      (change) => this.#notify(change),
      (error) => this.#retry(error),
      after,
    );
    if (after === undefined) this.#listener?.opened();
    this.#listener?.synced();
  }

  #notify(change: ViewChange): void {
    this.#failures = 0;
    this.#notified = change.revision;
    this.#listener?.changed(new ViewedChange(change));
  }

  #retry(error: unknown): void {
    if (this.#isStopped) return;
    const { clock, random, logger } = this.#options;
    if (isExpired(error)) this.#notified = undefined;
    this.#failure = errorMessage(error);
    const delayMs = retryDelay(error, this.#failures++, random);
    logger.debug('view ended, opening another', { delayMs, error });
    this.#stopView = clock.after(delayMs, () => this.#open());
  }
}

/** A change of a view, for informers. */
export class ViewedChange implements ObjectChange {
  readonly #change: ViewChange;

  constructor(change: ViewChange) {
    this.#change = change;
  }

  get key(): ObjectKey {
    return this.#change.key;
  }

  get isGone(): boolean {
    return this.#change.type === 'DELETED';
  }

  get isLive(): boolean {
    return true;
  }

  get outline(): Outline {
    return this.#change.outline;
  }

  now(): ReadonlyObject | undefined {
    return this.isGone ? undefined : this.#change.object();
  }

  old(): ReadonlyObject | undefined {
    return this.#change.old() ?? (this.isGone ? this.#change.object() : undefined);
  }

  hasSameOwners(): boolean {
    return this.#change.hasSameOwners();
  }
}

function nothing(): void {}

/** In process a view, otherwise a list and a watch. */
export function openSource(options: ViewedSourceOptions): ObjectSource {
  return options.client.view === undefined ? new ListedSource(options) : new ViewedSource(options);
}
