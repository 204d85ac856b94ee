/**
 * What the member does to applied objects, so that nobody has to ask: one informer, of versions alone, for each kind that
 * a Work uses, ended with its last user. A Work is woken when one of its objects is not what its last round left behind.
 */
import type { Kind, KubeObject, ObjectKey } from '@flotilla/kube';
import { keyText } from '@flotilla/kube';
import type { HeldInformer, InformerSet } from '@flotilla/runtime';

/** An object as a round saw it last. */
export interface Sighting {
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** Undefined: there was none. */
  readonly metadata: Seen | undefined;
}

type Seen = Pick<KubeObject['metadata'], 'uid' | 'resourceVersion'>;

interface WatchedKind {
  readonly held: HeldInformer;
  readonly unsubscribe: () => void;
  /** Works by the object that they use. */
  readonly users: Map<string, Set<string>>;
}

interface WatchedWork {
  sightings: ReadonlyMap<string, Sighting>;
  isInRound: boolean;
  /** Objects that went away during the round, by uid. */
  readonly gone: Set<string>;
}

export interface AppliedObjectsOptions {
  readonly informers: InformerSet;
  readonly wake: (work: string) => void;
}

export class AppliedObjects {
  readonly #options: AppliedObjectsOptions;
  readonly #kinds = new Map<string, WatchedKind>();
  readonly #works = new Map<string, WatchedWork>();

  constructor(options: AppliedObjectsOptions) {
    this.#options = options;
  }

  /** From now until `endRound`, changes are taken note of but wake nobody: most of them are the round's own. */
  beginRound(work: string): void {
    const watched = this.#works.get(work) ?? { sightings: new Map(), isInRound: true, gone: new Set() };
    watched.isInRound = true;
    watched.gone.clear();
    this.#works.set(work, watched);
  }

  /** What the Work uses from now on. Undefined: the round did not come to its end, and what it used before stays. */
  endRound(work: string, sightings?: readonly Sighting[]): void {
    const watched = this.#works.get(work);
    if (watched === undefined) return;
    watched.isInRound = false;
    if (sightings === undefined) return;
    const before = watched.sightings;
    watched.sightings = new Map(sightings.map((sighting) => [placeText(sighting), sighting]));
    for (const sighting of watched.sightings.values()) this.#use(work, sighting);
    for (const [place, sighting] of before) if (!watched.sightings.has(place)) this.#drop(work, sighting);
    for (const sighting of watched.sightings.values()) {
      const isFollowed = this.#healthyInformer(sighting.kind) !== undefined;
      if (isFollowed && this.#hasChanged(watched, sighting)) return this.#options.wake(work);
    }
  }

  forget(work: string): void {
    const watched = this.#works.get(work);
    if (watched === undefined) return;
    this.#works.delete(work);
    for (const sighting of watched.sightings.values()) this.#drop(work, sighting);
  }

  isInRound(work: string): boolean {
    return this.#works.get(work)?.isInRound === true;
  }

  /** Whether the member still has all that the Work's last round saw, just as it was; false where that cannot be known. */
  areAsSeen(work: string): boolean {
    const watched = this.#works.get(work);
    if (watched === undefined || watched.sightings.size === 0) return false;
    for (const sighting of watched.sightings.values()) if (!this.#isAsSeen(sighting)) return false;
    return true;
  }

  /** The same for one object. */
  isAsSeen(work: string, place: Pick<Sighting, 'kind' | 'key'>): boolean {
    const sighting = this.#works.get(work)?.sightings.get(placeText(place));
    return sighting !== undefined && this.#isAsSeen(sighting);
  }

  /** True when nobody has to be asked: the kind is watched, and has no such object. */
  isKnownAbsent({ kind, key }: Pick<Sighting, 'kind' | 'key'>): boolean {
    const informer = this.#healthyInformer(kind);
    return informer !== undefined && informer.get(key) === undefined;
  }

  async stop(): Promise<void> {
    const kinds = [...this.#kinds.values()];
    this.#kinds.clear();
    this.#works.clear();
    await Promise.all(kinds.map((kind) => this.#release(kind)));
  }

  #use(work: string, { kind, key }: Sighting): void {
    const { users } = this.#kinds.get(kindText(kind)) ?? this.#watch(kind);
    const works = users.get(keyText(key));
    if (works === undefined) users.set(keyText(key), new Set([work]));
    else works.add(work);
  }

  #drop(work: string, { kind, key }: Sighting): void {
    const watched = this.#kinds.get(kindText(kind));
    const works = watched?.users.get(keyText(key));
    if (watched === undefined || works === undefined) return;
    works.delete(work);
    if (works.size === 0) watched.users.delete(keyText(key));
    if (watched.users.size > 0) return;
    this.#kinds.delete(kindText(kind));
    void this.#release(watched);
  }

  #watch(kind: Kind): WatchedKind {
    const held = this.#options.informers.hold(kind, { versionsOnly: true });
    const unsubscribe = held.informer.subscribe((now, old) => this.#changed(kind, now, old));
    const watched = { held, unsubscribe, users: new Map<string, Set<string>>() };
    this.#kinds.set(kindText(kind), watched);
    return watched;
  }

  async #release({ unsubscribe, held }: WatchedKind): Promise<void> {
    unsubscribe();
    await held.release();
  }

  #changed(kind: Kind, now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void {
    const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
    const key = { namespace, name };
    for (const work of this.#kinds.get(kindText(kind))?.users.get(keyText(key)) ?? []) {
      const watched = this.#works.get(work);
      const sighting = watched?.sightings.get(placeText({ kind, key }));
      if (watched === undefined || sighting === undefined) continue;
      if (now === undefined) watched.gone.add(old?.metadata.uid ?? '');
      if (!watched.isInRound && this.#hasChanged(watched, sighting)) this.#options.wake(work);
    }
  }

  /** An informer is a moment behind: what it shows of the time before the sighting is no change. */
  #hasChanged({ gone }: WatchedWork, { kind, key, metadata: seen }: Sighting): boolean {
    const now = this.#kinds.get(kindText(kind))?.held.informer.get(key)?.metadata;
    if (now === undefined) return seen !== undefined && gone.has(seen.uid ?? '');
    if (seen === undefined) return !gone.has(now.uid ?? '');
    return isNewer(now, seen);
  }

  #isAsSeen({ kind, key, metadata: seen }: Sighting): boolean {
    const informer = this.#healthyInformer(kind);
    if (informer === undefined) return false;
    const now = informer.get(key)?.metadata;
    return now?.uid === seen?.uid && now?.resourceVersion === seen?.resourceVersion;
  }

  #healthyInformer(kind: Kind): HeldInformer['informer'] | undefined {
    const informer = this.#kinds.get(kindText(kind))?.held.informer;
    return informer?.isCurrent === true ? informer : undefined;
  }
}

/** Versions are numbers that grow; of what is none, anything else counts as newer. */
function isNewer(now: Seen, seen: Seen): boolean {
  if (now.resourceVersion === seen.resourceVersion) return false;
  return !(Number(now.resourceVersion) < Number(seen.resourceVersion));
}

function kindText({ group, version, plural }: Kind): string {
  return `${group}/${version}/${plural}`;
}

function placeText({ kind, key }: Pick<Sighting, 'kind' | 'key'>): string {
  return `${kindText(kind)} ${keyText(key)}`;
}
