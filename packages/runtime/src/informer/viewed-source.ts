/** The objects of a kind on a server in this process: a view of the server's index, without copies. */
import type { LiveView, ObjectKey, ObjectVersion, Outline, ViewChange } from '@flotilla/kube';
import { ListedSource, type ListedSourceOptions } from './listed-source.ts';
import type { ObjectChange, ObjectSource, Outlined, ReadonlyObject, SourceListener } from './object-source.ts';
import { ReopenedView } from './reopened-view.ts';

export interface ViewedSourceOptions extends ListedSourceOptions {
  /** Continues an earlier source of the same objects at this revision, without notifications for earlier changes. */
  readonly after?: number | undefined;
}

/** Holds no promise and no timer while its view lasts: a process may have a source for every kind of a thousand servers. */
export class ViewedSource implements ObjectSource {
  readonly #options: ViewedSourceOptions;
  #listener: SourceListener | undefined;
  #view: LiveView | undefined;
  /** Used for kinds that cannot be viewed. */
  #listed: ListedSource | undefined;
  readonly #reopened: ReopenedView;

  constructor(options: ViewedSourceOptions) {
    this.#options = options;
    this.#reopened = new ReopenedView(options, () => this.#open());
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

  version(key: ObjectKey): ObjectVersion | undefined {
    return this.#listed === undefined ? this.#view?.version(key) : this.#listed.version(key);
  }

  outlines(namespace?: string): Iterable<Outlined> {
    return (this.#listed ?? this.#view)?.outlines(namespace) ?? [];
  }

  get size(): number {
    return this.#listed?.size ?? this.#view?.size() ?? 0;
  }

  get revision(): number {
    return this.#listed?.revision ?? this.#reopened.notified ?? 0;
  }

  get failure(): string | undefined {
    return this.#listed === undefined ? this.#reopened.failure : this.#listed.failure;
  }

  get isView(): boolean {
    return this.#view !== undefined && this.#listed === undefined && this.#reopened.failure === undefined;
  }

  start(listener: SourceListener): void {
    this.#listener = listener;
    this.#reopened.open();
  }

  async stop(): Promise<void> {
    this.#reopened.stop();
    await this.#listed?.stop();
  }

  #open(): void {
    const { client, kind, namespace, fieldSelector } = this.#options;
    const view = client.view?.(kind, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    });
    if (view === undefined) this.#list();
    else this.#follow(view);
  }

  #list(): void {
    if (this.#listener === undefined) return;
    this.#listed = new ListedSource(this.#options);
    if (this.#view !== undefined || this.#reopened.notified !== undefined) this.#listener.opened();
    this.#listed.start(this.#listener);
  }

  #follow(view: LiveView): void {
    this.#view = view;
    const isNew = this.#reopened.follow(view, (after) =>
      view.follow(
        (change) => this.#notify(change),
        (error) => this.#reopened.ended(error),
        after,
      ),
    );
    if (isNew) this.#listener?.opened();
    this.#listener?.synced();
  }

  #notify(change: ViewChange): void {
    this.#reopened.changed(change.revision);
    this.#listener?.changed(new ViewedChange(change));
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

/** In process a view, otherwise a list and a watch. */
export function openSource(options: ViewedSourceOptions): ObjectSource {
  return options.client.view === undefined ? new ListedSource(options) : new ViewedSource(options);
}
