/** The objects of a kind in a server of the same process: a view of the server's own index, nothing is copied. */
import { errorMessage, isExpired, type LiveView, type ObjectKey, type Outline, type ViewChange } from '@flotilla/kube';
import { ListedSource, type ListedSourceOptions } from './listed-source.ts';
import type { ObjectChange, ObjectSource, Outlined, ReadonlyObject, SourceListener } from './object-source.ts';
import { retryDelay } from './resuming.ts';

export interface ViewedSourceOptions extends ListedSourceOptions {
  /** The revision up to which an earlier source of the same objects was followed: what was there then is not told of again. */
  readonly after?: number | undefined;
}

/** Has no promise and no timer while its view lasts: a process may have a source for every kind of a thousand servers. */
export class ViewedSource implements ObjectSource {
  readonly #options: ViewedSourceOptions;
  #listener: SourceListener | undefined;
  #view: LiveView | undefined;
  /** Ends the view, or cancels the opening of the next one. */
  #stopView: () => void = nothing;
  /** Where a kind cannot be viewed, it is listed. */
  #listed: ListedSource | undefined;
  /** Up to which revision all changes have been told; readers may see newer ones. Undefined: none, or too long ago. */
  #told: number | undefined;
  #failures = 0;
  #trouble: string | undefined;
  #isStopped = false;

  constructor(options: ViewedSourceOptions) {
    this.#options = options;
    this.#told = options.after;
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
    return this.#listed?.revision ?? this.#told ?? 0;
  }

  get trouble(): string | undefined {
    return this.#listed === undefined ? this.#trouble : this.#listed.trouble;
  }

  get isView(): boolean {
    return this.#view !== undefined && this.#listed === undefined && this.#trouble === undefined;
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
    if (this.#view !== undefined || this.#told !== undefined) this.#listener.opened();
    this.#listed.start(this.#listener);
  }

  #follow(view: LiveView): void {
    const after = this.#told;
    this.#view = view;
    this.#told ??= view.revision();
    this.#trouble = undefined;
    this.#stopView = view.follow(
      (change) => this.#tell(change),
      (error) => this.#retry(error),
      after,
    );
    if (after === undefined) this.#listener?.opened();
    this.#listener?.synced();
  }

  #tell(change: ViewChange): void {
    this.#failures = 0;
    this.#told = change.revision;
    this.#listener?.changed(new ViewedChange(change));
  }

  #retry(error: unknown): void {
    if (this.#isStopped) return;
    const { clock, random, logger } = this.#options;
    if (isExpired(error)) this.#told = undefined;
    this.#trouble = errorMessage(error);
    const delayMs = retryDelay(error, this.#failures++, random);
    logger.debug('view ended, opening another', { delayMs, error });
    this.#stopView = clock.after(delayMs, () => this.#open());
  }
}

class ViewedChange implements ObjectChange {
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

/** In process a view, else a list and a watch. */
export function openSource(options: ViewedSourceOptions): ObjectSource {
  return options.client.view === undefined ? new ListedSource(options) : new ViewedSource(options);
}
