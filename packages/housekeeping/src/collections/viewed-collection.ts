import { ApiError, type KubeObject, type LiveView, type ViewChange, type Kind } from '@flotilla/kube';
import { nextTurn } from '../next-turn.ts';
import type { Collection, CollectionListener, Item } from './collection.ts';

export interface ViewedCollectionOptions {
  readonly kind: Kind;
  readonly view: LiveView;
  readonly listener: CollectionListener;
  /** Told when the kind is no longer served as it was. */
  readonly ended: () => void;
  /** How far an earlier view of the same kind was followed; what was there then is known. */
  readonly after: number | undefined;
}

/** A collection in a server of the same process: nothing is copied, and nothing is parsed to follow it. */
export class ViewedCollection implements Collection {
  readonly kind: Kind;
  readonly #view: LiveView;
  readonly #listener: CollectionListener;
  readonly #ended: () => void;
  readonly #after: number | undefined;
  #stop: () => void = () => {};
  #isOver = false;
  /** How far it was followed. */
  revision: number;

  constructor({ kind, view, listener, ended, after }: ViewedCollectionOptions) {
    this.kind = kind;
    this.#view = view;
    this.#listener = listener;
    this.#ended = ended;
    this.#after = after;
    this.revision = after ?? view.revision();
  }

  begin(): void {
    this.#follow(this.#after);
    if (this.#after === undefined) void this.#find();
  }

  get(key: Parameters<LiveView['get']>[0]) {
    return Promise.resolve(this.#view.get(key));
  }

  outline(key: Parameters<LiveView['get']>[0]) {
    return Promise.resolve(this.#view.outline(key));
  }

  async contents(namespace?: string): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (const item of this.#view.outlines(namespace)) {
      if (items.push(item) % perTurn === 0) await nextTurn();
    }
    return items;
  }

  stop(): void {
    this.#isOver = true;
    this.#stop();
  }

  #follow(after: number | undefined): void {
    this.#stop = this.#view.follow(
      (change) => this.#tell(change),
      (error) => this.#end(error),
      after,
    );
  }

  #tell({ type, key, outline, object, revision }: ViewChange): void {
    this.revision = revision;
    this.#listener.changed({ kind: this.kind, type, key, outline, object });
  }

  /** A kind that changed its ways is looked for again; one that was only followed too slowly is still there. */
  #end(error: Error): void {
    if (this.#isOver) return;
    if (!(error instanceof ApiError && error.code === 410)) {
      this.stop();
      this.#ended();
      return;
    }
    this.#listener.missed(this.kind);
    this.revision = this.#view.revision();
    this.#follow(undefined);
    void this.#find();
  }

  async #find(): Promise<void> {
    let found = 0;
    for (const { key, outline } of this.#view.outlines()) {
      if (++found % perTurn === 0) await nextTurn();
      if (this.#isOver) return;
      const object = () => this.#view.get(key) ?? nobody;
      this.#listener.changed({ kind: this.kind, type: 'FOUND', key, outline, object });
    }
  }
}

/** Whoever went before anybody looked. */
const nobody: KubeObject = { apiVersion: '', kind: '', metadata: {} };

/** So many objects are told of in one turn of the event loop. */
const perTurn = 500;
