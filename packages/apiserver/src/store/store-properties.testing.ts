/** Compares random sequences of writes, watches, snapshots and compactions with a model that is a Map. Each engine runs it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { ManualClock } from '@flotilla/testkit';
import { StoreConflict, type Cursor, type Snapshot, type StorageEngine, type Store } from './store.ts';
import { collection, drain, keyOf, put, remove, watch } from './store.testing.ts';

type Step =
  | { readonly do: 'put' | 'delete'; readonly name: string; readonly isStale: boolean }
  | { readonly do: 'settle' | 'compact' }
  | { readonly do: 'snapshot' | 'watch'; readonly prefix: string };

const name = fc
  .tuple(fc.constantFrom('a', 'b', 'a-b', 'é'), fc.integer({ min: 0, max: 5 }))
  .map(([ns, n]) => `${ns}/${n}`);
const prefix = fc.constantFrom('', 'a/', 'b/', 'nobody/');
const isStale = fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), name, isStale }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), name, isStale }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('snapshot' as const), prefix }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('watch' as const), prefix }) },
);

/** Name to revision. */
type State = Map<string, number>;

export function storeProperties(engineName: string, open: (clock: ManualClock) => Promise<StorageEngine>): void {
  describe(`any use of a store of the ${engineName} engine`, () => {
    let engine: StorageEngine;
    let stores = 0;
    before(async () => {
      engine = await open(new ManualClock());
    });
    after(async () => engine.close());

    test('equals a Map: state, conflicts, snapshots, pages, and watches replayed on a list', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
          const run = new ModelRun(engine.store(`store-${++stores}`));
          for (const next of steps) await run.perform(next);
          await run.finish();
        }),
        { numRuns: 150 },
      );
    });
  });
}

/** One run of a store beside its model. Writes are not awaited one by one, so that they overlap. */
class ModelRun {
  readonly #store: Store;
  readonly #accepted: State = new Map();
  readonly #pending: Promise<void>[] = [];
  readonly #snapshots: { readonly snapshot: Snapshot; readonly state: State }[] = [];
  readonly #watches: { readonly cursor: Cursor; readonly state: State; readonly prefix: string }[] = [];
  #revision = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  async perform(next: Step): Promise<void> {
    switch (next.do) {
      case 'put':
      case 'delete':
        return this.#write(next.do, next.name, next.isStale);
      case 'settle':
        return this.#settle();
      case 'compact':
        return this.#store.compact(Math.floor(this.#store.revision / 2));
      case 'snapshot':
        return this.#takeSnapshot(next.prefix);
      case 'watch':
        return this.#watch(next.prefix);
    }
  }

  async finish(): Promise<void> {
    await this.#settle();
    for (const { snapshot, state } of this.#snapshots) {
      assert.deepEqual(stateOf(snapshot, ''), state);
      const again = this.#store.snapshotAt(snapshot.revision);
      if (again === 'compacted') assert.ok(snapshot.revision < this.#store.compactedRevision);
      else assert.deepEqual(stateOf(again, ''), state);
    }
    for (const { cursor, state, prefix } of this.#watches) this.#replay(cursor, state, prefix);
  }

  #write(verb: 'put' | 'delete', name: string, isStale: boolean): void {
    const actual = this.#accepted.get(name) ?? 0;
    const expected = isStale ? actual + 1 : actual;
    if (verb === 'delete' && expected === 0) return;
    const written = this.#store.write([verb === 'put' ? put(name, expected) : remove(name, expected)]);
    if (isStale) {
      this.#pending.push(assert.rejects(written, new StoreConflict(keyOf(name), actual)));
      return;
    }
    const revision = ++this.#revision;
    if (verb === 'put') this.#accepted.set(name, revision);
    else this.#accepted.delete(name);
    assert.equal(this.#store.newest(keyOf(name))?.revision ?? 0, this.#accepted.get(name) ?? 0);
    this.#pending.push(written.then(([committed]) => assert.equal(committed!.revision, revision)));
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#pending.splice(0));
    assert.equal(this.#store.revision, this.#revision);
    assert.deepEqual(stateOf(this.#store.snapshot(), ''), this.#accepted);
  }

  #takeSnapshot(prefix: string): void {
    const snapshot = this.#store.snapshot();
    const whole = [...stateOf(snapshot, prefix).keys()];
    assert.deepEqual(pages(snapshot, prefix, 3), whole);
    assert.equal(snapshot.count(collection, prefix), whole.length);
    this.#snapshots.push({ snapshot, state: stateOf(snapshot, '') });
  }

  #watch(prefix: string): void {
    const snapshot = this.#store.snapshot();
    const cursor = watch(this.#store, snapshot.revision, prefix);
    // A cursor that has caught up survives any compaction.
    assert.deepEqual(drain(cursor), []);
    this.#watches.push({ cursor, state: stateOf(snapshot, prefix), prefix });
  }

  #replay(cursor: Cursor, state: State, prefix: string): void {
    for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
      // A cursor that fell behind compaction is ended, not left with a gap.
      if (event === 'compacted') return;
      assert.equal(event.previous?.revision, state.get(event.entry.key.name));
      if (event.type === 'put') state.set(event.entry.key.name, event.revision);
      else state.delete(event.entry.key.name);
    }
    assert.deepEqual(state, stateOf(this.#store.snapshot(), prefix));
    assert.equal(cursor.revision, this.#store.revision);
  }
}

function stateOf(snapshot: Snapshot, prefix: string): State {
  return new Map(Array.from(snapshot.range(collection, prefix), (entry) => [entry.key.name, entry.revision]));
}

function pages(snapshot: Snapshot, prefix: string, limit: number): string[] {
  const names: string[] = [];
  for (let start = ''; ; start = `${names.at(-1)}\0`) {
    const page = Array.from(snapshot.range(collection, prefix, start), (entry) => entry.key.name).slice(0, limit);
    names.push(...page);
    if (page.length < limit) return names;
  }
}
