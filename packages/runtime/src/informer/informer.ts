import type { Logger, ObjectKey } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { InvariantError } from '../failures.ts';
import type { Indexes } from './label-index.ts';
import { ObjectIndex } from './object-index.ts';
import { keyFromText } from './object-key.ts';
import type { ObjectChange, ObjectSource, ReadonlyObject } from './object-source.ts';
import { Subscription, type Told } from './subscription.ts';

/** What a process knows about one kind: its objects, found by key or by index, and everybody who wants to hear of changes. */
export class Informer {
  readonly #source: ObjectSource;
  readonly #logger: Logger;
  readonly #turns: LoopTurns;
  readonly #indexes = new Map<string, ObjectIndex>();
  /** Indexes hear of a change before anybody who may look something up in them. */
  readonly #indexing = new Set<Subscription>();
  readonly #listening = new Set<Subscription>();
  readonly #synced = Promise.withResolvers<void>();
  #isSynced = false;

  constructor(source: ObjectSource, logger: Logger, turns: LoopTurns) {
    this.#source = source;
    this.#logger = logger;
    this.#turns = turns;
    source.start({
      changed: (change: ObjectChange) => this.#changed(change),
      opened: () => this.#opened(),
      synced: () => {
        this.#isSynced = true;
        this.#synced.resolve();
      },
    });
  }

  get(key: ObjectKey): ReadonlyObject | undefined {
    return this.#source.get(key);
  }

  all(namespace?: string): Iterable<ReadonlyObject> {
    return this.#source.all(namespace);
  }

  get size(): number {
    return this.#source.size;
  }

  get revision(): number {
    return this.#source.revision;
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Why it cannot follow the server at the moment. */
  get trouble(): string | undefined {
    return this.#source.trouble;
  }

  /** Whether it shows what the server has, give or take a moment. */
  get isCurrent(): boolean {
    return this.#isSynced && this.#source.trouble === undefined;
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  keysIn(index: string, value: string): ReadonlySet<string> {
    const found = this.#indexes.get(index);
    if (found === undefined) throw new InvariantError(`there is no index ${index}`);
    return found.keysOf(value);
  }

  *indexed(index: string, value: string): Generator<ReadonlyObject, void> {
    for (const key of this.keysIn(index, value)) {
      const object = this.#source.get(keyFromText(key));
      if (object !== undefined) yield object;
    }
  }

  /** Indexes are known by their names: one that is there already stays as it is. */
  addIndexes(indexes: Indexes): void {
    for (const [name, valuesOf] of Object.entries(indexes)) {
      if (this.#indexes.has(name)) continue;
      const index = new ObjectIndex(valuesOf);
      this.#indexes.set(name, index);
      this.#join(this.#indexing, (now, old) => index.update(now, old));
    }
  }

  /** Tells of all that is there, then of every change; the returned function ends that. */
  subscribe(tell: Told): () => void {
    const subscription = this.#join(this.#listening, tell);
    return () => {
      subscription.stop();
      this.#listening.delete(subscription);
    };
  }

  /** When it shows a state that the server had, its indexes do too, and all who listen have heard of it. */
  async whenReady(): Promise<void> {
    await this.#synced.promise;
    const subscriptions = [...this.#indexing, ...this.#listening];
    await Promise.all(subscriptions.map((subscription) => subscription.whenCaughtUp()));
  }

  async stop(): Promise<void> {
    for (const subscription of [...this.#indexing, ...this.#listening]) subscription.stop();
    await this.#source.stop();
  }

  #join(group: Set<Subscription>, tell: Told): Subscription {
    const subscription = new Subscription((now, old, isLive) => this.#tell(tell, now, old, isLive), this.#turns);
    group.add(subscription);
    if (this.#source.size > 0) subscription.replay(this.#source.all());
    return subscription;
  }

  /** Whoever throws when told something has himself to blame, and the others must not suffer. */
  #tell(tell: Told, ...change: Parameters<Told>): void {
    try {
      tell(...change);
    } catch (error) {
      const { namespace, name } = (change[0] ?? change[1])?.metadata ?? {};
      this.#logger.error('a change was not understood', { namespace, name, error });
    }
  }

  #changed(change: ObjectChange): void {
    for (const subscription of this.#indexing) subscription.changed(change);
    for (const subscription of this.#listening) subscription.changed(change);
  }

  #opened(): void {
    for (const index of this.#indexes.values()) index.clear();
    for (const subscription of [...this.#indexing, ...this.#listening]) subscription.replay(this.#source.all());
  }
}
