import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { LogEvent } from '../log/log-event.ts';
import { isFreeing } from './disk-space.ts';
import { rowsOf, type LogRows } from '../sqlite/log-rows.ts';
import { wantedBytes } from '../disk/reserve.ts';
import { SqliteLog } from '../sqlite/sqlite-log.ts';
import type { Entry } from '../store.ts';

const mebibyte = 1024 * 1024;
/** Mounts a disk in a separate namespace, so that the test needs no rights and leaves no files. */
const mounted = ['-Urm', 'sh', '-ec', 'disk=$1; shift; mount -t tmpfs -o size=12m tmpfs "$disk"; exec "$@"', 'sh'];
const canMount = spawnSync('unshare', [...mounted, tmpdir(), 'true']).status === 0;

describe('a disk that is full', { skip: canMount ? false : 'no disk can be mounted here', timeout: 120_000 }, () => {
  const disk = mkdtempSync(join(tmpdir(), 'flotilla-disk-'));
  after(() => rmSync(disk, { recursive: true }));

  async function runScenario<T>(name: string): Promise<T> {
    const program = [process.execPath, join(import.meta.dirname, 'small-disk-user.testing.ts'), disk, name];
    const child = spawn('unshare', [...mounted, disk, ...program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [T];
    return answer;
  }

  test('is freed through the store, also after a restart, and then takes as much again', async () => {
    type Seen = { created: number; found: number; shrunk: boolean; deleted: number; again: number };
    const { created, found, shrunk, deleted, again } = await runScenario<Seen>('emptied');
    assert.ok(created > 200, `${created} objects fit`);
    assert.equal(found, created);
    assert.ok(shrunk, 'a smaller object is stored');
    assert.equal(deleted, created);
    assert.ok(again > created * 0.9, `${again} of ${created} objects fit again`);
  });

  test('that another program filled still takes deletes', async () => {
    const seen = await runScenario<object>('shared');
    assert.deepEqual(seen, { free: 0, found: 20, large: false, deleted: 20, left: 0, afterRestart: 0 });
  });
});

describe('a write on a full disk', () => {
  const entry = (size: number, deletionTimestamp?: string): Entry => ({
    key: { collection: 'core/configmaps', name: 'a' },
    header: { uid: 'u', ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
    bytes: new Uint8Array(size),
    createRevision: 1,
    revision: 2,
  });
  const put = (now: Entry, before?: Entry): boolean => isFreeing(new LogEvent('put', 'k', now, before));

  test('is accepted if it deletes, belongs to a deletion, or makes no object larger', () => {
    assert.ok(isFreeing(new LogEvent('delete', 'k', entry(100), entry(100))));
    assert.ok(put(entry(120, '2026-01-02T03:04:05Z'), entry(100)));
    assert.ok(put(entry(100), entry(100)));
  });

  test('is refused if it creates or grows an object', () => {
    assert.ok(!put(entry(1)));
    assert.ok(!put(entry(101), entry(100)));
  });
});

test('an object deleted without history does not reappear, neither at once nor when the deletion is swept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-compact-'));
  const file = join(folder, 'flotilla.db');
  const event = (type: 'put' | 'delete', name: string, revision: number, previous?: Entry): LogEvent => {
    const key = { collection: 'core/configmaps', name };
    const header = { uid: name };
    return new LogEvent(type, name, { key, header, bytes: Buffer.from(name), createRevision: 1, revision }, previous);
  };
  const rows = (events: readonly LogEvent[]): LogRows =>
    rowsOf(
      events.map((one) => ({ store: 0, event: one })),
      1,
    );
  const read = (): string[] => {
    const opened = SqliteLog.open(file);
    const found = Array.from(opened.read(), ({ names, revisions, deleted }) =>
      names.map((name, index) => `${name} ${deleted[index] ? 'deleted ' : ''}${revisions[index]}`),
    );
    opened.close();
    return found.flat();
  };
  const log = SqliteLog.open(file);
  const first = event('put', 'a', 1);
  const second = event('put', 'a', 2, first.entry);
  const third = event('put', 'a', 3, second.entry);
  const deletion = event('delete', 'a', 5, third.entry);
  const store = { id: 0, name: 'hub', base: null, baseRevision: 0, startRevision: 0 };
  log.append([store], rows([first, second, third, event('put', 'b', 4)]));
  log.append([], rows([deletion]), true);
  assert.deepEqual(
    log.stores().map(({ compacted }) => compacted),
    [5],
  );
  log.append([], rows([event('put', 'c', 6)]));
  log.close();
  assert.deepEqual(read(), ['b 4', 'a deleted 5', 'c 6']);
  const swept = SqliteLog.open(file);
  assert.equal(swept.sweep(0, 6, 100), 'done');
  swept.close();
  assert.deepEqual(read(), ['b 4', 'c 6']);
  rmSync(folder, { recursive: true });
});

test('the reserve grows with the write-ahead file, and shrinks with free pages in the database', () => {
  const wanted = (wal: number, free: number): number =>
    wantedBytes(4 * mebibyte, { wal: wal * mebibyte, free: free * mebibyte }) / mebibyte;
  assert.deepEqual([wanted(0, 0), wanted(1.5, 0), wanted(16, 0)], [4, 6, 20]);
  assert.deepEqual([wanted(0, 2), wanted(0, 100), wanted(16, 100)], [2, 1, 1]);
});
