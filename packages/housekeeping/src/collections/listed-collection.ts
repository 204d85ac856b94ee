import type { Client } from '@flotilla/client';
import { ApiError, type KubeObject, type ObjectKey, type ObjectMeta, type Outline, type Kind } from '@flotilla/kube';
import type { HeldInformer } from '@flotilla/runtime';
import type { Collection, CollectionListener, Item } from './collection.ts';

/**
 * A collection that has no view, because a webhook stands between its objects and those who read them. What must be the newest
 * state is asked for.
 */
export class ListedCollection implements Collection {
  readonly kind: Kind;
  readonly #client: Client;
  #stop: () => void = () => {};

  constructor(kind: Kind, client: Client) {
    this.kind = kind;
    this.#client = client;
  }

  follow({ informer, release }: HeldInformer, { changed }: CollectionListener): void {
    const { kind } = this;
    const end = informer.subscribe((now, old, isLive) => {
      const object = now ?? old;
      if (object === undefined) return;
      const { metadata } = object;
      const type = now === undefined ? 'DELETED' : !isLive ? 'FOUND' : old === undefined ? 'ADDED' : 'MODIFIED';
      changed({ kind, type, key: keyOf(metadata), outline: outlineOf(metadata), object: () => object });
    });
    this.#stop = () => {
      end();
      void release();
    };
  }

  async get(key: ObjectKey): Promise<Readonly<KubeObject> | undefined> {
    try {
      return await this.#client.get(this.kind, key);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  async outline(key: ObjectKey): Promise<Outline | undefined> {
    const object = await this.get(key);
    return object && outlineOf(object.metadata);
  }

  async contents(namespace?: string): Promise<readonly Item[]> {
    const items: Item[] = [];
    const listOptions = { metadataOnly: true, limit: 500, ...(namespace !== undefined && { namespace }) };
    for await (const { metadata } of this.#client.each(this.kind, listOptions)) {
      items.push({ key: keyOf(metadata), outline: outlineOf(metadata) });
    }
    return items;
  }

  stop(): void {
    this.#stop();
  }
}

function keyOf({ namespace, name = '' }: ObjectMeta): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}

function outlineOf({ uid = '', ownerReferences, finalizers, deletionTimestamp }: ObjectMeta): Outline {
  return {
    uid,
    ...(ownerReferences && { ownerUids: ownerReferences.map((owner) => owner.uid) }),
    ...(finalizers && { finalizers }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  };
}
