/**
 * Watches the applied objects: one informer of versions for each kind that a Work uses, released with its last user.
 * Requeues a Work if one of its objects is not as its last round left it.
 */
import { keyText, TextSets, type Kind, type ObjectVersion } from '@flotilla/kube';
import { kindText, type HeldInformer, type InformerSet } from '@flotilla/runtime';
import type { ObjectRef } from '../manifest/identifier.ts';

/** An object as a round left it. */
export interface ObservedObject extends ObjectRef {
  /** Undefined if the object did not exist. */
  readonly metadata: ObjectVersion | undefined;
}

interface WatchedKind {
  readonly held: HeldInformer;
  readonly unfollow: () => void;
  /** Names of Works by the object that they use. */
  readonly users: TextSets;
}

interface WatchedWork {
  objects: ReadonlyMap<string, ObservedObject>;
  isInRound: boolean;
  /** Uids of objects that were deleted since the round began, if any were. */
  deletedUids: Set<string> | undefined;
}

export interface AppliedObjectsOptions {
  readonly informers: InformerSet;
  readonly enqueue: (work: string) => void;
}

export class AppliedObjects {
  readonly #options: AppliedObjectsOptions;
  readonly #kinds = new Map<string, WatchedKind>();
  readonly #works = new Map<string, WatchedWork>();

  constructor(options: AppliedObjectsOptions) {
    this.#options = options;
  }

  /** Until `endRound`, changes do not requeue the Work, because most of them are the round's own writes. */
  beginRound(work: string): void {
    const watched = this.#works.get(work) ?? { objects: new Map(), isInRound: true, deletedUids: undefined };
    watched.isInRound = true;
    watched.deletedUids = undefined;
    this.#works.set(work, watched);
  }

  /** Replaces the objects of the Work. Without `objects`, for a round that failed, they stay. */
  endRound(work: string, objects?: readonly ObservedObject[]): void {
    const watched = this.#works.get(work);
    if (watched === undefined) return;
    watched.isInRound = false;
    if (objects === undefined) return;
    const before = watched.objects;
    watched.objects = new Map(objects.map((object) => [refText(object), object]));
    for (const object of watched.objects.values()) this.#addUser(work, object);
    for (const [ref, object] of before) if (!watched.objects.has(ref)) this.#removeUser(work, object);
    for (const object of watched.objects.values()) {
      const isWatched = this.#currentInformer(object.kind) !== undefined;
      if (isWatched && this.#hasChanged(watched, object)) return this.#options.enqueue(work);
    }
  }

  forget(work: string): void {
    const watched = this.#works.get(work);
    if (watched === undefined) return;
    this.#works.delete(work);
    for (const object of watched.objects.values()) this.#removeUser(work, object);
  }

  isInRound(work: string): boolean {
    return this.#works.get(work)?.isInRound === true;
  }

  /** Whether all objects are as the Work's last round left them. False if an informer is not current. */
  areUnchanged(work: string): boolean {
    const watched = this.#works.get(work);
    if (watched === undefined || watched.objects.size === 0) return false;
    for (const object of watched.objects.values()) if (!this.#isUnchanged(object)) return false;
    return true;
  }

  /** The same for one object. */
  isUnchanged(work: string, ref: ObjectRef): boolean {
    const object = this.#works.get(work)?.objects.get(refText(ref));
    return object !== undefined && this.#isUnchanged(object);
  }

  /** True if the kind is watched and has no such object, so that no request is needed. */
  isKnownAbsent({ kind, key }: ObjectRef): boolean {
    const informer = this.#currentInformer(kind);
    return informer !== undefined && informer.version(key) === undefined;
  }

  async stop(): Promise<void> {
    const kinds = [...this.#kinds.values()];
    this.#kinds.clear();
    this.#works.clear();
    await Promise.all(kinds.map((kind) => this.#release(kind)));
  }

  #addUser(work: string, { kind, key }: ObjectRef): void {
    const { users } = this.#kinds.get(kindText(kind)) ?? this.#watch(kind);
    users.add(keyText(key), work);
  }

  #removeUser(work: string, { kind, key }: ObjectRef): void {
    const watched = this.#kinds.get(kindText(kind));
    if (watched === undefined) return;
    watched.users.delete(keyText(key), work);
    if (watched.users.size > 0) return;
    this.#kinds.delete(kindText(kind));
    void this.#release(watched);
  }

  #watch(kind: Kind): WatchedKind {
    const held = this.#options.informers.hold(kind, { versionsOnly: true });
    // Most changes are the round's own writes, or of objects that no Work uses: a follower parses none of them.
    const unfollow = held.informer.follow({
      changed: ({ key, isGone, outline }) => this.#changed(kind, keyText(key), isGone ? outline.uid : undefined),
      reopened: () => this.#recheck(kind),
    });
    const watched = { held, unfollow, users: new TextSets() };
    this.#kinds.set(kindText(kind), watched);
    return watched;
  }

  async #release({ unfollow, held }: WatchedKind): Promise<void> {
    unfollow();
    await held.release();
  }

  #changed(kind: Kind, key: string, deletedUid: string | undefined): void {
    for (const work of this.#kinds.get(kindText(kind))?.users.get(key) ?? []) {
      const watched = this.#works.get(work);
      const object = watched?.objects.get(`${kindText(kind)} ${key}`);
      if (watched === undefined || object === undefined) continue;
      if (deletedUid !== undefined) (watched.deletedUids ??= new Set()).add(deletedUid);
      if (!watched.isInRound && this.#hasChanged(watched, object)) this.#options.enqueue(work);
    }
  }

  /** The informer has missed changes. An object that it does not have is gone. */
  #recheck(kind: Kind): void {
    const { users, held } = this.#kinds.get(kindText(kind)) ?? {};
    for (const key of users?.keys() ?? []) {
      for (const work of users?.get(key) ?? []) {
        const { key: of, metadata } = this.#works.get(work)?.objects.get(`${kindText(kind)} ${key}`) ?? {};
        const isGone = of !== undefined && held?.informer.version(of) === undefined;
        this.#changed(kind, key, isGone ? metadata?.uid : undefined);
      }
    }
  }

  /** Ignores states older than the observed one, because the informer lags behind the round. */
  #hasChanged({ deletedUids }: WatchedWork, { kind, key, metadata: observed }: ObservedObject): boolean {
    const now = this.#kinds.get(kindText(kind))?.held.informer.version(key);
    if (now === undefined) return observed !== undefined && deletedUids?.has(observed.uid ?? '') === true;
    if (observed === undefined) return deletedUids?.has(now.uid ?? '') !== true;
    return isNewer(now, observed);
  }

  #isUnchanged({ kind, key, metadata: observed }: ObservedObject): boolean {
    const informer = this.#currentInformer(kind);
    if (informer === undefined) return false;
    const now = informer.version(key);
    return now?.uid === observed?.uid && now?.resourceVersion === observed?.resourceVersion;
  }

  #currentInformer(kind: Kind): HeldInformer['informer'] | undefined {
    const informer = this.#kinds.get(kindText(kind))?.held.informer;
    return informer?.isCurrent === true ? informer : undefined;
  }
}

/** Resource versions are increasing numbers. A version that is not a number counts as newer. */
function isNewer(now: ObjectVersion, observed: ObjectVersion): boolean {
  if (now.resourceVersion === observed.resourceVersion) return false;
  return !(Number(now.resourceVersion) < Number(observed.resourceVersion));
}

function refText({ kind, key }: ObjectRef): string {
  return `${kindText(kind)} ${keyText(key)}`;
}
