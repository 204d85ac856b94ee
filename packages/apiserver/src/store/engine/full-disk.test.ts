import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '@flotilla/timing';
import { defaultRetention } from '../log/retention.ts';
import { openSqliteEngine } from './sqlite-engine.ts';
import { collection } from '../store.testing.ts';

const limitBytes = 2 * 1024 * 1024;
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;

interface Refused {
  readonly refusal: string;
  readonly together: readonly string[];
  readonly written: number;
  readonly readable: number;
  readonly forgotten: boolean;
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [T];
  return answer;
}

test(
  'a full disk refuses writes with a clear error, serves reads, and takes writes again when there is space',
  {
    skip: hasPrlimit ? false : 'prlimit, which limits the size of files, is not here',
  },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'flotilla-full-'));
    const program = [process.execPath, join(import.meta.dirname, 'full-disk-writer.testing.ts'), directory];
    const child = spawn('prlimit', [`--fsize=${limitBytes}:unlimited`, ...program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const refused = await answerOf<Refused>(child);
    assert.match(refused.refusal, /^StoreUnavailable: the write was not stored: the disk (is full|refuses writes)/);
    assert.deepEqual(refused.together, ['rejected', 'rejected']);
    assert.ok(refused.written > 10);
    assert.equal(refused.readable, refused.written);
    assert.ok(refused.forgotten, 'a refused write is still accepted');

    assert.equal(spawnSync('prlimit', ['--pid', `${child.pid}`, '--fsize=unlimited:unlimited']).status, 0);
    child.send('there is space');
    const { written, revision } = await answerOf<{ written: number; revision: number }>(child);
    assert.ok(revision > refused.written, 'a revision was used twice');

    const engine = await openSqliteEngine({ directory, clock: systemClock, retention: defaultRetention });
    const found = { count: engine.store('hub').count(collection), revision: engine.store('hub').revision };
    await engine.close();
    assert.deepEqual(found, { count: written, revision });
    rmSync(directory, { recursive: true });
  },
);
