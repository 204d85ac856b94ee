/**
 * Kills a writing process with SIGKILL at random moments and checks the data directory. `FLOTILLA_CRASH_ROUNDS` sets the
 * number of kills; `npm run test:crash` runs 200 and more.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@flotilla/timing';
import { openSqliteEngine } from './sqlite-engine.ts';
import type { Store, StoreEvent } from '../store.ts';
import { collection, crashRetention, drain, watch } from '../store.testing.ts';

const rounds = Number(process.env['FLOTILLA_CRASH_ROUNDS'] ?? 10);
const maxLifetimeMs = 300;

interface Change {
  readonly revision: number;
  readonly type: string;
  readonly name: string;
}

/** One watch over all rounds: its events, and the state that follows from them. */
class Observer {
  revision = 0;
  readonly state = new Map<string, number>();
  readonly #seen = new Map<number, string>();

  see({ revision, type, name }: Change, previous: number): void {
    assert.ok(revision > this.revision, `revision ${revision} after ${this.revision}`);
    assert.equal(previous, this.state.get(name) ?? 0, `${name} changed unseen before ${revision}`);
    this.revision = revision;
    this.#seen.set(revision, `${type} ${name}`);
    if (type === 'put') this.state.set(name, revision);
    else this.state.delete(name);
  }

  hasSeen({ revision, type, name }: Change): boolean {
    return this.#seen.get(revision) === `${type} ${name}`;
  }
}

async function killedWriter(directory: string): Promise<string[]> {
  const notes = join(directory, 'notes');
  rmSync(notes, { force: true });
  const child = spawn(process.execPath, [join(import.meta.dirname, 'crash-writer.testing.ts'), directory, notes], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  // Some are killed at startup, most while they write.
  if (Math.random() < 0.9) await Promise.race([once(child.stdout, 'data'), exited]);
  await sleep(Math.random() * maxLifetimeMs);
  child.kill('SIGKILL');
  const [code] = (await exited) as [number | null];
  assert.equal(code, null, 'the writer ended by itself');
  // The kill cut the text after the last line break.
  return existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').slice(0, -1) : [];
}

/** Passes watched events to the observer, and returns confirmed writes and reads. */
function readNotes(lines: readonly string[], observer: Observer): Change[] {
  const promises: Change[] = [];
  for (const line of lines) {
    const [word, revision, type = '', name = '', previous] = line.split(' ');
    const change = { revision: Number(revision), type, name };
    if (word === 'saw') observer.see(change, Number(previous));
    else promises.push(change);
  }
  return promises;
}

function changeOf({ revision, type, entry }: StoreEvent): Change {
  return { revision, type, name: entry.key.name };
}

async function inspect(directory: string, observer: Observer, promises: readonly Change[]): Promise<void> {
  const engine = await openSqliteEngine({ directory, clock: systemClock, retention: crashRetention });
  try {
    inspectStore(engine.store('hub'), observer, promises);
  } finally {
    await engine.close();
  }
}

function inspectStore(store: Store, observer: Observer, promises: readonly Change[]): void {
  assert.ok(store.revision >= observer.revision, 'the revision went back');
  for (const event of drain(watch(store, observer.revision))) {
    observer.see(changeOf(event), event.previous?.revision ?? 0);
  }
  const found = new Map(Array.from(store.snapshot().range(collection, ''), (entry) => [entry.key.name, entry]));
  const revisions = new Map(Array.from(found, ([name, entry]) => [name, entry.revision]));
  assert.deepEqual(revisions, observer.state);
  for (const change of promises) assert.ok(observer.hasSeen(change), `lost: ${JSON.stringify(change)}`);
  const [left, right] = ['pair/left', 'pair/right'].map((name) => found.get(name)?.header.labels?.['value']);
  assert.equal(left, right, 'half of a transaction was kept');
}

test(`after ${rounds} kills no confirmed or watched write is lost, and watches resume without a gap`, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flotilla-crash-'));
  const observer = new Observer();
  let promised = 0;
  for (let round = 0; round < rounds; round++) {
    const promises = readNotes(await killedWriter(directory), observer);
    promised += promises.length;
    await inspect(directory, observer, promises);
  }
  assert.ok(promised > rounds, 'the writers hardly wrote');
  rmSync(directory, { recursive: true });
});
