/** The contract of a store as one suite that each engine runs. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { StoreConflict, type StorageEngine, type Store } from './store.ts';
import { collection, drain, inWords, keyOf, put, remove, text, texts, watch, writeOne } from './store.testing.ts';

export function storeConformance(name: string, open: (clock: ManualClock) => Promise<StorageEngine>): void {
  describe(`a store of the ${name} engine`, () => {
    const clock = new ManualClock();
    let engine: StorageEngine;
    let stores = 0;
    const freshStore = (): Store => engine.store(`store-${++stores}`);

    before(async () => {
      engine = await open(clock);
    });
    after(async () => engine.close());

    test('starts empty at revision 0', () => {
      const store = freshStore();
      assert.equal(store.revision, 0);
      assert.equal(store.compactedRevision, 0);
      assert.equal(store.count(collection), 0);
      assert.equal(store.get(keyOf('a/x')), undefined);
    });

    test('has one independent store for each name', async () => {
      const store = freshStore();
      await writeOne(store, put('a/x', 0));
      assert.equal(engine.store(`store-${stores}`), store);
      assert.equal(freshStore().count(collection), 0);
    });

    test('shows a write to reads once its promise settles, with its revision', async () => {
      const store = freshStore();
      const { revision, entry } = await writeOne(store, put('a/x', 0, 'one'));
      assert.equal(revision, 1);
      assert.equal(text(entry), 'a/x=one@1');
      assert.equal(store.get(keyOf('a/x')), entry);
      assert.deepEqual(entry.header, { uid: 'uid-a/x', labels: { value: 'one' } });
      assert.equal(store.revision, 1);
    });

    test('keeps the create revision across updates, not across a delete', async () => {
      const store = freshStore();
      await writeOne(store, put('a/x', 0));
      const updated = await writeOne(store, put('a/x', 1));
      assert.deepEqual([updated.entry.createRevision, updated.revision], [1, 2]);
      const deleted = await writeOne(store, remove('a/x', 2));
      assert.deepEqual([deleted.entry.createRevision, deleted.revision, text(deleted.entry)], [1, 3, 'a/x gone@3']);
      assert.equal(store.get(keyOf('a/x')), undefined);
      const again = await writeOne(store, put('a/x', 0));
      assert.deepEqual([again.entry.createRevision, again.revision], [4, 4]);
    });

    test('settles when the accepted write of a key is visible', async () => {
      const store = freshStore();
      await store.settled(keyOf('a/x'));
      const writing = store.write([put('a/x', 0, 'one')]);
      await store.settled(keyOf('a/x'));
      assert.equal(text(store.get(keyOf('a/x'))), 'a/x=one@1');
      await writing;
      const more = store.write([put('a/y', 0)]);
      await store.settled();
      assert.equal(store.revision, 2);
      await more;
    });

    test('checks a write against the accepted state, before it is visible', async () => {
      const store = freshStore();
      const first = store.write([put('a/x', 0, 'one')]);
      assert.equal(text(store.newest(keyOf('a/x'))), 'a/x=one@1');
      await assert.rejects(store.write([put('a/x', 0, 'two')]), new StoreConflict(keyOf('a/x'), 1));
      const second = store.write([put('a/x', 1, 'two')]);
      const gone = store.write([remove('a/x', 2)]);
      assert.equal(store.newest(keyOf('a/x')), undefined);
      await Promise.all([first, second, gone]);
      assert.equal(store.revision, 3);
    });

    test('accepts all writes of a call or none, and encodes none that it refuses', async () => {
      const store = freshStore();
      await writeOne(store, put('a/x', 0));
      let encoded = 0;
      const counted = { ...put('a/y', 0), encode: () => Buffer.from(`${++encoded}`) };
      await assert.rejects(store.write([counted, put('a/x', 7)]), { name: 'StoreConflict', actual: 1 });
      assert.equal(encoded, 0);
      assert.equal(store.newest(keyOf('a/y')), undefined);
      const both = await store.write([counted, put('a/x', 1)]);
      assert.deepEqual(
        both.map((committed) => committed.revision),
        [2, 3],
      );
    });

    test('keeps nothing of a write whose encoder fails', async () => {
      const store = freshStore();
      const failing = {
        ...put('a/y', 0),
        encode: () => {
          throw new Error('cannot encode');
        },
      };
      await assert.rejects(store.write([put('a/x', 0), failing]), /cannot encode/);
      assert.equal(store.newest(keyOf('a/x')), undefined);
      assert.equal((await writeOne(store, put('a/x', 0))).revision, 1);
    });

    test('refuses to write one key twice in a call', async () => {
      await assert.rejects(freshStore().write([put('a/x', 0), put('a/x', 0)]), TypeError);
    });

    test('lists a collection in byte order of names, from any start, within any prefix', async () => {
      const store = freshStore();
      await store.write(['b/x', 'a/z', 'a/\u{1f600}', 'a/\uffee', 'a/x', 'a-b/x', 'ab/x'].map((name) => put(name, 0)));
      await store.write([put('a/x', 0, '', 'core/secrets'), put('a/x', 0, '', 'core/configmapsx')]);
      const names = (prefix: string, start?: string) =>
        Array.from(store.snapshot().range(collection, prefix, start), (entry) => entry.key.name);
      assert.deepEqual(names(''), ['a-b/x', 'a/x', 'a/z', 'a/\uffee', 'a/\u{1f600}', 'ab/x', 'b/x']);
      assert.deepEqual(names('a/'), ['a/x', 'a/z', 'a/\uffee', 'a/\u{1f600}']);
      assert.deepEqual(names('a/', 'a/x\0'), ['a/z', 'a/\uffee', 'a/\u{1f600}']);
      assert.deepEqual(names('a/', 'b'), []);
      assert.deepEqual(names('', 'a/z'), ['a/z', 'a/\uffee', 'a/\u{1f600}', 'ab/x', 'b/x']);
      assert.deepEqual(
        [store.count(collection), store.count(collection, 'a/'), store.count('core/secrets')],
        [7, 4, 1],
      );
    });

    test('stores names that are also JavaScript properties', async () => {
      const store = freshStore();
      const header = { uid: 'u', labels: JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string> };
      await writeOne(store, { ...put('__proto__/constructor', 0), header });
      assert.equal(text(store.get(keyOf('__proto__/constructor'))), '__proto__/constructor=@1');
      assert.equal(store.get(keyOf('__proto__')), undefined);
    });

    test('does not change a snapshot with later writes', async () => {
      const store = freshStore();
      await store.write([put('a/x', 0), put('a/y', 0)]);
      const snapshot = store.snapshot();
      await store.write([put('a/x', 1), remove('a/y', 2), put('a/z', 0)]);
      assert.equal(snapshot.revision, 2);
      assert.deepEqual(texts(snapshot.range(collection, '')), ['a/x=@1', 'a/y=@2']);
      assert.equal(snapshot.count(collection), 2);
      assert.equal(text(snapshot.get(keyOf('a/y'))), 'a/y=@2');
    });

    test('reads any retained past revision, and returns compacted below', async () => {
      const store = freshStore();
      const lists: (string | undefined)[][] = [[]];
      for (let round = 0; round < 700; round++) {
        const name = `a/${round % 13}`;
        const revision = store.newest(keyOf(name))?.revision ?? 0;
        await writeOne(store, round % 5 === 4 && revision > 0 ? remove(name, revision) : put(name, revision));
        lists.push(texts(store.snapshot().range(collection, '')));
      }
      for (const [revision, list] of lists.entries()) {
        const snapshot = store.snapshotAt(revision);
        assert.ok(snapshot !== 'compacted');
        assert.deepEqual(texts(snapshot.range(collection, '')), list);
      }
      store.compact(300);
      assert.equal(store.compactedRevision, 300);
      assert.equal(store.snapshotAt(299), 'compacted');
      for (const revision of [300, 301, 555, 700]) {
        const snapshot = store.snapshotAt(revision);
        assert.ok(snapshot !== 'compacted');
        assert.deepEqual(texts(snapshot.range(collection, '')), lists[revision]);
      }
      assert.throws(() => store.snapshotAt(701), RangeError);
    });

    test('delivers every event of its scope to a watch once, in order, with the state before', async () => {
      const store = freshStore();
      await writeOne(store, put('a/x', 0, 'one'));
      const all = watch(store, 0);
      const inB = watch(store, 0, 'b/');
      await store.write([put('b/x', 0), put('a/x', 1, 'two'), put('a/x', 0, '', 'core/secrets')]);
      await writeOne(store, remove('a/x', 3));
      assert.deepEqual(inWords(drain(all)), [
        'put a/x=one@1 was nothing',
        'put b/x=@2 was nothing',
        'put a/x=two@3 was a/x=one@1',
        'delete a/x gone@5 was a/x=two@3',
      ]);
      assert.deepEqual(inWords(drain(inB)), ['put b/x=@2 was nothing']);
      assert.deepEqual([all.revision, inB.revision], [5, 5]);
      assert.equal(all.next(), undefined);
    });

    test('delivers the events of all collections to a watch of everything, and wakes it for each batch', async () => {
      const store = freshStore();
      await writeOne(store, put('a/x', 0));
      const everything = store.watch('all', 1);
      assert.ok(everything !== 'compacted');
      assert.equal(everything.next(), undefined);
      let woken = 0;
      everything.onReady(() => woken++);
      await store.write([put('a/x', 0, '', 'core/secrets'), put('b', 0, '', 'core/nodes')]);
      await writeOne(store, remove('a/x', 1));
      assert.equal(woken, 1);
      const seen = drain(everything).map(({ type, entry: { key } }) => `${type} ${key.collection} ${key.name}`);
      assert.deepEqual(seen, ['put core/secrets a/x', 'put core/nodes b', `delete ${collection} a/x`]);
      everything.onReady(() => assert.fail('woken after close'));
      everything.close();
      await writeOne(store, put('a/z', 0));
      store.compact(2);
      assert.equal(store.watch('all', 1), 'compacted');
    });

    test('lists the entries of all collections in a snapshot', async () => {
      const store = freshStore();
      await store.write([put('a/z', 0), put('a/x', 0, '', 'core/secrets'), put('a/y', 0)]);
      await writeOne(store, remove('a/z', 1));
      const names = Array.from(store.snapshot().entries(), ({ key }) => `${key.collection} ${key.name}`);
      assert.deepEqual(names.toSorted(), [`${collection} a/y`, 'core/secrets a/x'].toSorted());
    });

    test('starts a watch after a revision, even a future one', async () => {
      const store = freshStore();
      await writeOne(store, put('a/x', 0));
      const past = watch(store, 1);
      const future = watch(store, 3);
      await store.write([put('a/y', 0), put('a/z', 0), put('a/w', 0)]);
      assert.deepEqual(
        drain(past).map((event) => event.revision),
        [2, 3, 4],
      );
      assert.deepEqual(
        drain(future).map((event) => event.revision),
        [4],
      );
    });

    test('wakes a waiting watch once, and only for an event in its scope', async () => {
      const store = freshStore();
      const cursor = watch(store, 0, 'a/');
      let woken = 0;
      assert.equal(cursor.next(), undefined);
      cursor.onReady(() => woken++);
      await store.write([put('b/x', 0), put('ab/x', 0), put('a', 0)]);
      assert.equal(woken, 0);
      assert.equal(cursor.revision, 3);
      await store.write([put('a/x', 0), put('a/y', 0)]);
      await writeOne(store, put('a/z', 0));
      assert.equal(woken, 1);
      assert.equal(cursor.revision, 3);
      assert.deepEqual(
        drain(cursor).map((event) => event.revision),
        [4, 5, 6],
      );
    });

    test('wakes a watch that waits after its event has arrived', async () => {
      const store = freshStore();
      const cursor = watch(store, 0);
      assert.equal(cursor.next(), undefined);
      await writeOne(store, put('a/x', 0));
      await new Promise<void>((resolve) => cursor.onReady(resolve));
      assert.deepEqual(
        drain(cursor).map((event) => event.revision),
        [1],
      );
    });

    test('does not wake a closed watch', async () => {
      const store = freshStore();
      const cursor = watch(store, 0);
      cursor.next();
      cursor.onReady(() => assert.fail('woken after close'));
      cursor.close();
      await writeOne(store, put('a/x', 0));
      assert.equal(cursor.next(), undefined);
    });

    test('shares the encoded form of an event between watches', async () => {
      const store = freshStore();
      const [first, second] = [watch(store, 0), watch(store, 0)];
      await writeOne(store, put('a/x', 0));
      drain(first)[0]!.encoded.set('json', Buffer.from('frame'));
      assert.equal(drain(second)[0]!.encoded.get('json')?.toString(), 'frame');
    });

    test('ends only watches that have not read what was compacted', async () => {
      const store = freshStore();
      const slow = watch(store, 0);
      const elsewhere = watch(store, 0, 'b/');
      assert.equal(elsewhere.next(), undefined);
      await store.write([put('a/x', 0), put('a/y', 0)]);
      const inTime = watch(store, 1);
      store.compact(1);
      assert.equal(slow.next(), 'compacted');
      assert.deepEqual(
        drain(inTime).map((event) => event.revision),
        [2],
      );
      assert.equal(store.watch({ collection, prefix: '' }, 0), 'compacted');
      await writeOne(store, put('b/x', 0));
      assert.deepEqual(
        drain(elsewhere).map((event) => event.revision),
        [3],
      );
    });

    test('drops history after five minutes, and no objects', async () => {
      const store = freshStore();
      await writeOne(store, put('a/x', 0));
      await clock.advance(4 * 60_000);
      await writeOne(store, put('a/y', 0));
      await clock.advance(2 * 60_000);
      await writeOne(store, put('a/z', 0));
      assert.equal(store.compactedRevision, 1);
      assert.equal(store.count(collection), 3);
    });

    test('shares the history that one store may keep between all that start as a copy', async () => {
      const base = freshStore();
      const baseName = `store-${stores}`;
      const copy = engine.store(`${baseName}-copy`, baseName);
      const large = { ...put('a/x', 0), encode: () => Buffer.alloc(15_000) };
      const change = async (store: Store, expected: number) => writeOne(store, { ...large, expected });
      const alone = freshStore();
      for (const store of [copy, alone]) {
        for (let revision = 0; revision < 40; revision++) await change(store, revision);
      }
      assert.equal(copy.compactedRevision, 0);
      for (let count = 0; count < 511; count++) engine.store(`${baseName}-${count}`, baseName);
      for (const store of [copy, alone]) await change(store, 40);
      assert.equal(copy.compactedRevision, 41 - 8, '128 KiB');
      assert.equal(alone.compactedRevision, 0);
      assert.equal(base.revision, 0);
    });

    test('starts with the content of another store, changes independently, and freezes that one', async () => {
      const base = freshStore();
      const baseName = `store-${stores}`;
      await base.write([put('a/x', 0), put('a/y', 0), put('a/z', 0)]);
      const names = ['one', 'two'].map((name) => `${baseName}-${name}`);
      const [one, two] = names.map((name) => engine.store(name, baseName));
      assert.deepEqual([one!.revision, one!.compactedRevision], [3, 3]);
      const cursor = watch(one!, 3);
      await one!.write([remove('a/x', 1), put('a/y', 2, 'changed')]);
      assert.deepEqual(texts(one!.snapshot().range(collection, '')), ['a/y=changed@5', 'a/z=@3']);
      assert.deepEqual(inWords(drain(cursor)), ['delete a/x gone@4 was a/x=@1', 'put a/y=changed@5 was a/y=@2']);
      assert.deepEqual(texts(two!.snapshot().range(collection, '')), ['a/x=@1', 'a/y=@2', 'a/z=@3']);
      await assert.rejects(base.write([put('a/x', 1)]), { name: 'StoreUnavailable' });
      assert.equal(engine.store(names[0]!), one);
      assert.ok(engine.has(names[1]!) && !engine.has(`${baseName}-three`));
      assert.deepEqual([...engine.names()].slice(-3), [baseName, ...names]);
    });

    test('starts with the content of a snapshot, whose store stays writable', async () => {
      const first = freshStore();
      await first.write([put('a/x', 0), put('a/y', 0)]);
      await writeOne(first, put('a/x', 1, 'two'));
      const copy = engine.store(`copy-${stores}`, first.snapshot());
      await writeOne(first, remove('a/y', 2));
      assert.deepEqual([copy.revision, copy.compactedRevision, copy.isFrozen], [3, 3, false]);
      await writeOne(copy, put('a/y', 2, 'mine'));
      assert.deepEqual(texts(copy.snapshot().range(collection, '')), ['a/x=two@3', 'a/y=mine@4']);
      assert.deepEqual(texts(first.snapshot().range(collection, '')), ['a/x=two@3']);
    });

    test('resolves a wait for a revision, or rejects it on abort', async () => {
      const store = freshStore();
      await store.waitFor(0, AbortSignal.abort());
      const arrives = store.waitFor(2, new AbortController().signal);
      const abort = new AbortController();
      const tooFar = store.waitFor(9, abort.signal);
      await store.write([put('a/x', 0), put('a/y', 0)]);
      await arrives;
      abort.abort(new Error('too long'));
      await assert.rejects(tooFar, /too long/);
      await assert.rejects(store.waitFor(9, AbortSignal.abort(new Error('already over'))), /already over/);
    });
  });
}
