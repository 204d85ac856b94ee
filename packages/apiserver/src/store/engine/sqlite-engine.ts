import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { LoopTurns, type Clock } from '@flotilla/timing';
import {
  databaseFile,
  DirectoryInUse,
  lockDirectory,
  makeDataDirectory,
  UnusableDirectory,
} from '../disk/data-directory.ts';
import { GroupCommit, type BatchReport } from './group-commit.ts';
import type { Index } from '../index/history.ts';
import { DiskSpace } from './disk-space.ts';
import { emptyState, IndexedStore, stateOf, type Journal, type StartingState } from '../index/indexed-store.ts';
import { LogEvent } from '../log/log-event.ts';
import { rowsOf, type StoredEvent } from '../sqlite/log-rows.ts';
import { orderKey } from '../index/order-key.ts';
import { defaultReserveBytes } from '../disk/reserve.ts';
import { SharedRetention, type Retention } from '../log/retention.ts';
import { storeLimit } from '../sqlite/row-id.ts';
import type { NewStore } from '../sqlite/sqlite-log.ts';
import { DatabaseBusy, SqliteThread } from '../sqlite/sqlite-thread.ts';
import { LoadingStores } from './loading-stores.ts';
import type { Snapshot, StorageEngine, Store } from '../store.ts';
import { Sweeper } from './sweeper.ts';

export interface SqliteEngineOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly retention: Retention;
  readonly report?: (batch: BatchReport) => void;
  /** Called when the disk becomes full, and when it has room again. */
  readonly spaceChanged?: ((isFull: boolean) => void) | undefined;
  /** Disk space kept back for deletes. */
  readonly reserveBytes?: number;
  /** Opens as soon as the store of this name is loaded. By default, and if there is no such store, when all are. */
  readonly firstStore?: string | undefined;
}

/** Opens a data directory with any number of stores. One process at a time can open it. */
export async function openSqliteEngine(options: SqliteEngineOptions): Promise<StorageEngine> {
  const { directory, reserveBytes = defaultReserveBytes, firstStore } = options;
  makeDataDirectory(directory);
  const release = lockDirectory(directory);
  const stores = new LoadingStores(firstStore);
  const thread = new SqliteThread({ file: databaseFile(directory), reserveBytes }, stores);
  try {
    const isWhole = await Promise.race([thread.loaded.then(() => true), stores.firstArrived.then(() => false)]);
    const engine = new SqliteEngine(thread, options, stores, release);
    if (isWhole) await engine.loaded;
    return engine;
  } catch (error) {
    release();
    throw error instanceof DatabaseBusy ? new DirectoryInUse(directory) : error;
  }
}

interface KnownStore {
  readonly id: number;
  readonly store: IndexedStore;
}

type OpenedStore = Pick<NewStore, 'id' | 'name' | 'base'>;

class SqliteEngine implements StorageEngine {
  readonly #thread: SqliteThread;
  readonly #options: SqliteEngineOptions;
  readonly #commits: GroupCommit;
  readonly #stores = new Map<string, KnownStore>();
  readonly #retentionOfCopies: SharedRetention;
  /** Stores whose rows arrive, or are not opened yet. */
  readonly #loading: LoadingStores;
  /** Of all stores, in the order of their numbers. */
  readonly #names: Set<string>;
  /** Stores that are not in the file yet. The next batch writes them. */
  #newStores: readonly { readonly store: NewStore; readonly copied: readonly StoredEvent[] }[] = [];
  readonly #sweeper: Sweeper;
  readonly #release: () => void;
  #backingUp: Promise<void> | undefined;
  readonly #space: DiskSpace;
  readonly loaded: Promise<void>;

  constructor(thread: SqliteThread, options: SqliteEngineOptions, stores: LoadingStores, release: () => void) {
    this.#thread = thread;
    this.#options = options;
    this.#retentionOfCopies = new SharedRetention(options.retention);
    this.#loading = stores;
    this.#names = new Set(stores.names);
    this.#commits = new GroupCommit(async (events) => this.#sync(events), options.report);
    this.#release = release;
    this.#sweeper = new Sweeper(options.clock, async (store, compacted) =>
      this.#thread.perform({ task: 'sweep', store, compacted }),
    );
    this.#space = new DiskSpace(thread, options);
    this.loaded = this.#openAll();
    // Callers that await it get the error.
    this.loaded.catch(() => undefined);
  }

  store(name: string, start?: Snapshot | string): Store {
    return this.#known(name, start).store;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  names(): Iterable<string> {
    return this.#names;
  }

  async backup(file: string): Promise<void> {
    if (existsSync(file)) throw new Error(`${file} exists; a backup does not overwrite`);
    if (this.#backingUp !== undefined) throw new Error('another backup is being made');
    this.#backingUp = this.#copyTo(file);
    try {
      await this.#backingUp;
    } finally {
      this.#backingUp = undefined;
    }
  }

  async close(): Promise<void> {
    this.#space.stop();
    // Refuses writes from here on.
    const flushed = this.#commits.stop();
    await Promise.allSettled([this.loaded]);
    await flushed;
    // The thread aborts sweeps and backups. Nothing is lost, and a close must be quick.
    const closed = this.#thread.stop();
    await Promise.allSettled([closed, this.#sweeper.stop(), this.#backingUp]);
    await closed;
    this.#release();
  }

  async #copyTo(file: string): Promise<void> {
    const partial = `${file}.partial`;
    // Created here, so that only the owner can read it from the first byte on.
    closeSync(openSync(partial, 'w', 0o600));
    try {
      await this.#thread.perform({ task: 'backup', file: partial });
      renameSync(partial, file);
    } finally {
      rmSync(partial, { force: true });
    }
  }

  async #openAll(): Promise<void> {
    await this.#thread.loaded;
    this.#loading.end();
    if (this.#thread.wasFullAtStart) this.#space.startFull();
    const turns = new LoopTurns();
    for (const name of this.#loading.names) {
      this.#known(name);
      if (turns.isOver()) await turns.next();
    }
  }

  #known(name: string, start?: Snapshot | string): KnownStore {
    return this.#stores.get(name) ?? (this.#names.has(name) ? this.#openLoaded(name) : this.#add(name, start));
  }

  #openLoaded(name: string): KnownStore {
    const loader = this.#loading.take(name);
    const known = this.#open(loader.store, loader.finish(), loader.store.swept);
    if (this.#loading.isBase(known.id)) known.store.freeze();
    return known;
  }

  #add(name: string, start: Snapshot | string | undefined): KnownStore {
    const base = typeof start === 'string' ? this.#known(start) : undefined;
    const state = typeof start === 'object' ? stateOf(start) : (base?.store.freeze() ?? emptyState);
    // Stores are never deleted, so their numbers are contiguous.
    const id = this.#names.size;
    if (id >= storeLimit) {
      const { directory } = this.#options;
      throw new UnusableDirectory(
        `${directory} has had ${storeLimit} clusters, and holds no more; use a new directory`,
      );
    }
    const { index, revision } = state;
    const added = { id, name, base: base?.id ?? null, baseRevision: base ? revision : 0, startRevision: revision };
    const copied = base || index.size === 0 ? [] : copiesIn(id, index);
    this.#newStores = [...this.#newStores, { store: added, copied }];
    this.#names.add(name);
    return this.#open(added, state, revision);
  }

  #open({ id, name, base }: OpenedStore, start: StartingState, sweptRevision: number): KnownStore {
    const retention = base === null ? this.#options.retention : this.#retentionOfCopies.forOneMore();
    const store = new IndexedStore({ ...this.#options, retention, journal: this.#journalOf(id) }, start);
    const known = { id, store };
    this.#stores.set(name, known);
    this.#sweeper.add(id, store, sweptRevision);
    return known;
  }

  #journalOf(store: number): Journal {
    return { ...this.#commits.journalOf(store), refusal: (events) => this.#space.refusal(events) };
  }

  async #sync(events: readonly StoredEvent[]): Promise<void> {
    await this.#space.append(events, (isCompact) => this.#append(events, isCompact));
  }

  async #append(events: readonly StoredEvent[], isCompact: boolean): Promise<void> {
    const added = this.#newStores;
    const rows = rowsOf([...added.flatMap(({ copied }) => copied), ...events], this.#options.clock.now());
    const newStores = added.map(({ store }) => store);
    await this.#thread.perform({ task: 'append', newStores, rows, isCompact }, [rows.bytes.buffer]);
    this.#newStores = this.#newStores.slice(added.length);
  }
}

/** The initial content of a new store, as events to write with it. */
function copiesIn(store: number, index: Index): StoredEvent[] {
  return Array.from(index.values(), (entry) => ({
    store,
    event: new LogEvent('put', orderKey(entry.key), entry, undefined),
  }));
}
