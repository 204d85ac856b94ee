import type { KubeObject, ObjectKey } from '@flotilla/kube';
import { keyText } from '@flotilla/kube';
import type { HeldInformer } from '@flotilla/runtime';

type Informer = HeldInformer['informer'];

/**
 * What an informer shows, or what we wrote ourselves, whichever is newer: an informer is a moment behind, and a round that
 * follows another must not begin with what the other has changed.
 */
export class NewestObjects<T extends KubeObject> {
  readonly #informer: Informer;
  /** What the informer does not show yet. */
  readonly #written = new Map<string, T>();
  /** The version of our last write: in process a view shows what it has not told of yet. */
  readonly #ownVersions = new Map<string, number>();
  readonly #end: () => void;

  /** `changed` is told of whatever is not our own write, with the state before. */
  constructor(informer: Informer, changed: (now: T | undefined, old: T | undefined, isLive: boolean) => void) {
    this.#informer = informer;
    this.#end = informer.subscribe((now, old, isLive) => {
      const isOwn = this.#catchUp(now, old, isLive);
      if (!isOwn) changed(now as T | undefined, old as T | undefined, isLive);
    });
  }

  get(key: ObjectKey): T | undefined {
    return this.#written.get(keyText(key)) ?? (this.#informer.get(key) as T | undefined);
  }

  wrote(object: T): void {
    const key = keyOf(object);
    const shown = this.#informer.get(key);
    this.#ownVersions.set(keyText(key), versionOf(object));
    if (shown === undefined || versionOf(shown) < versionOf(object)) this.#written.set(keyText(key), object);
  }

  /** Whether what it shows is what the server has, give or take a moment. */
  get isTrusted(): boolean {
    return this.#informer.isSynced && this.#informer.trouble === undefined;
  }

  get size(): number {
    return this.#informer.size;
  }

  end(): void {
    this.#end();
    this.#written.clear();
    this.#ownVersions.clear();
  }

  /** Whether the change is one that we made, or older. */
  #catchUp(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined, isLive: boolean): boolean {
    const one = now ?? old;
    if (one === undefined) return false;
    const key = keyText(keyOf(one));
    const isPredecessor =
      now === undefined && (this.#written.get(key)?.metadata.uid ?? one.metadata.uid) !== one.metadata.uid;
    if (isPredecessor) return true;
    const version = now === undefined ? Number.POSITIVE_INFINITY : versionOf(now);
    const own = this.#ownVersions.get(key) ?? Number.NEGATIVE_INFINITY;
    // A list that shows less than we wrote is of a server that lost its memory: what we wrote is gone.
    if (version < own && isLive) return true;
    this.#written.delete(key);
    if (version === own) return true;
    this.#ownVersions.delete(key);
    return false;
  }
}

function keyOf({ metadata: { namespace, name = '' } }: Readonly<KubeObject>): ObjectKey {
  return { namespace, name };
}

function versionOf({ metadata }: Readonly<KubeObject>): number {
  return Number(metadata.resourceVersion);
}
