import type { KubeObject, LiveView, ObjectKey, Outline, ViewChange } from '@flotilla/kube';
import { keyOf } from './informer/object-key.ts';

/** A fake in-process server: a collection that tests change, and live views of it. */
export class FakeViewedCollection {
  readonly #objects = new Map<string, KubeObject>();
  readonly #log: ViewChange[] = [];
  readonly #followers = new Set<{
    readonly changed: (change: ViewChange) => void;
    readonly ended: (error: Error) => void;
  }>();
  #revision = 1;
  /** Called before a view is opened; may throw. */
  refuse: () => void = () => {};
  /** While false, followers get no changes. Reads still see them at once. */
  isDelivering = true;
  isViewable = true;

  put(object: KubeObject): KubeObject {
    const key = keyOf(object);
    const old = this.#objects.get(textOf(key));
    const revision = ++this.#revision;
    const stored = {
      ...object,
      metadata: { ...object.metadata, uid: old?.metadata.uid ?? `uid-${revision}`, resourceVersion: String(revision) },
    };
    this.#objects.set(textOf(key), stored);
    this.#record({
      type: old ? 'MODIFIED' : 'ADDED',
      key,
      revision,
      outline: outlineOf(stored),
      object: () => stored,
      old: () => old,
      hasSameOwners: () => false,
    });
    return stored;
  }

  remove(key: ObjectKey): void {
    const old = this.#objects.get(textOf(key));
    if (old === undefined) return;
    this.#objects.delete(textOf(key));
    this.#record({
      type: 'DELETED',
      key,
      revision: ++this.#revision,
      outline: outlineOf(old),
      object: () => old,
      old: () => old,
      hasSameOwners: () => false,
    });
  }

  /** Ends all views. */
  end(error: Error): void {
    const followers = [...this.#followers];
    this.#followers.clear();
    for (const { ended } of followers) ended(error);
  }

  open(): LiveView | undefined {
    this.refuse();
    if (!this.isViewable) return undefined;
    return {
      revision: () => this.#revision,
      size: () => this.#objects.size,
      get: (key) => this.#objects.get(textOf(key)),
      all: (namespace) =>
        [...this.#objects.values()].filter(
          ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
        ),
      outline: (key) => {
        const object = this.#objects.get(textOf(key));
        return object && outlineOf(object);
      },
      version: (key) => this.#objects.get(textOf(key))?.metadata,
      outlines: () => [...this.#objects.values()].map((object) => ({ key: keyOf(object), outline: outlineOf(object) })),
      follow: (changed, ended, after = this.#revision) => {
        for (const change of this.#log) if (change.revision > after) changed(change);
        const follower = { changed, ended };
        this.#followers.add(follower);
        return () => this.#followers.delete(follower);
      },
    };
  }

  #record(change: ViewChange): void {
    this.#log.push(change);
    if (this.isDelivering) for (const { changed } of this.#followers) changed(change);
  }
}

const outlines = new WeakMap<KubeObject, Outline>();

/** The same for the same state of an object. */
function outlineOf(object: KubeObject): Outline {
  const { uid = '', labels } = object.metadata;
  const outline = outlines.get(object) ?? { uid, ...(labels && { labels }) };
  outlines.set(object, outline);
  return outline;
}

function textOf({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
