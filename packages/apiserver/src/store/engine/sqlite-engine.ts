import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import type { Clock } from '@flotilla/timing';
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
import { rowsOf, type LogRows, type StoredEvent } from '../sqlite/log-rows.ts';
import { orderKey } from '../index/order-key.ts';
import { defaultReserveBytes } from '../disk/reserve.ts';
import type { Retention } from '../log/retention.ts';
import { storeLimit } from '../sqlite/row-id.ts';
import type { NewStore } from '../sqlite/sqlite-log.ts';
import { DatabaseBusy, SqliteThread } from '../sqlite/sqlite-thread.ts';
import { StateLoader } from './state-loader.ts';
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
}

/** Opens a data directory with any number of stores and loads them all. One process at a time can open it. */
export async function openSqliteEngine(options: SqliteEngineOptions): Promise<StorageEngine> {
  makeDataDirectory(options.directory);
  const release = lockDirectory(options.directory);
  const loaders = new Map<number, StateLoader>();
  try {
    const thread = await startThread(options, loaders);
    return new SqliteEngine(thread, options, [...loaders.values()], release);
  } catch (error) {
    release();
    throw error;
  }
}

async function startThread(
  { directory, reserveBytes = defaultReserveBytes }: SqliteEngineOptions,
  loaders: Map<number, StateLoader>,
): Promise<SqliteThread> {
  try {
    return await SqliteThread.start(
      { file: databaseFile(directory), reserveBytes },
      {
        found: (stores) => {
          for (const store of stores) loaders.set(store.id, new StateLoader(store, loaders.get(store.base ?? -1)));
        },
        rows: (rows) => addRows(loaders, rows),
      },
    );
  } catch (error) {
    throw error instanceof DatabaseBusy ? new DirectoryInUse(directory) : error;
  }
}

function addRows(loaders: ReadonlyMap<number, StateLoader>, rows: LogRows): void {
  for (const [index, store] of rows.stores.entries()) {
    const loader = loaders.get(store);
    if (loader === undefined) throw new RangeError(`a row belongs to store ${store}, which does not exist`);
    loader.add(rows, index);
  }
}

interface KnownStore {
  readonly id: number;
  readonly store: IndexedStore;
}

class SqliteEngine implements StorageEngine {
  readonly #thread: SqliteThread;
  readonly #options: SqliteEngineOptions;
  readonly #commits: GroupCommit;
  readonly #stores = new Map<string, KnownStore>();
  /** Stores that are not in the file yet. The next batch writes them. */
  #newStores: readonly { readonly store: NewStore; readonly copied: readonly StoredEvent[] }[] = [];
  readonly #sweeper: Sweeper;
  readonly #release: () => void;
  #backingUp: Promise<void> | undefined;
  readonly #space: DiskSpace;

  constructor(
    thread: SqliteThread,
    options: SqliteEngineOptions,
    loaders: readonly StateLoader[],
    release: () => void,
  ) {
    this.#thread = thread;
    this.#options = options;
    this.#commits = new GroupCommit(async (events) => this.#sync(events), options.report);
    this.#release = release;
    this.#sweeper = new Sweeper(options.clock, async (store, compacted) =>
      this.#thread.perform({ task: 'sweep', store, compacted }),
    );
    this.#space = new DiskSpace(thread, options);
    for (const loader of loaders) this.#open(loader.store, loader.finish(), loader.store.swept);
    const bases = new Set(loaders.map(({ store }) => store.base));
    for (const { id, store } of this.#stores.values()) if (bases.has(id)) store.freeze();
  }

  store(name: string, start?: Snapshot | string): Store {
    return this.#stores.get(name)?.store ?? this.#add(name, start);
  }

  has(name: string): boolean {
    return this.#stores.has(name);
  }

  names(): Iterable<string> {
    return this.#stores.keys();
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
    await this.#commits.stop();
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

  #add(name: string, start: Snapshot | string | undefined): IndexedStore {
    const base = typeof start === 'string' ? this.#known(start) : undefined;
    const state = typeof start === 'object' ? stateOf(start) : (base?.store.freeze() ?? emptyState);
    // Stores are never deleted, so their numbers are contiguous.
    const id = this.#stores.size;
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
    return this.#open(added, state, revision);
  }

  #known(name: string): KnownStore {
    return this.#stores.get(name) ?? { id: this.#stores.size, store: this.#add(name, undefined) };
  }

  #open({ id, name }: Pick<NewStore, 'id' | 'name'>, start: StartingState, sweptRevision: number): IndexedStore {
    const store = new IndexedStore({ ...this.#options, journal: this.#journalOf(id) }, start);
    this.#stores.set(name, { id, store });
    this.#sweeper.add(id, store, sweptRevision);
    return store;
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
