import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CollectionLog } from './collection-log.ts';
import { LogCursor } from './log-cursor.ts';
import { LogEvent } from './log-event.ts';
import { drain, keyOf } from '../store.testing.ts';

/** A log whose events are visible at once. */
class TestLog extends CollectionLog {
  #revision = 0;

  write(name: string): void {
    const revision = ++this.#revision;
    const entry = {
      key: keyOf(name),
      header: { uid: name },
      bytes: Buffer.from(name),
      createRevision: revision,
      revision,
    };
    this.append(new LogEvent('put', name, entry, undefined));
  }

  cursor(prefix = ''): LogCursor {
    return new LogCursor(this, prefix, this.#revision, () => this.#revision);
  }
}

function namesIn(cursor: LogCursor): string[] {
  return drain(cursor).map(({ entry }) => entry.key.name);
}

describe('a cursor', () => {
  test('calls the listener once for each wait', async () => {
    const log = new TestLog();
    const cursor = log.cursor();
    let woken = 0;
    const listener = (): void => void woken++;
    for (let round = 1; round <= 3; round++) {
      namesIn(cursor);
      cursor.onReady(listener);
      log.write('a/x');
      log.write('a/y');
      assert.equal(woken, round - 1);
      await Promise.resolve();
      assert.equal(woken, round);
    }
    assert.deepEqual(namesIn(cursor), ['a/x', 'a/y']);
    log.write('a/unawaited');
    await Promise.resolve();
    assert.equal(woken, 3);
  });

  test('calls the newest listener of a wait', async () => {
    const log = new TestLog();
    const cursor = log.cursor();
    const woken: string[] = [];
    namesIn(cursor);
    cursor.onReady(() => woken.push('first'));
    cursor.onReady(() => woken.push('second'));
    log.write('a/x');
    await Promise.resolve();
    assert.deepEqual(woken, ['second']);
  });

  test('calls the listeners of two waits that end in one turn', async () => {
    const log = new TestLog();
    const cursor = log.cursor();
    const woken: string[] = [];
    for (const name of ['a/x', 'a/y']) {
      namesIn(cursor);
      cursor.onReady(() => woken.push(name));
      log.write(name);
    }
    await Promise.resolve();
    assert.deepEqual(woken, ['a/x', 'a/y']);
  });

  test('calls no listener if it is closed between the event and the call', async () => {
    const log = new TestLog();
    const cursor = log.cursor();
    namesIn(cursor);
    cursor.onReady(() => assert.fail('woken after close'));
    log.write('a/x');
    cursor.close();
    await Promise.resolve();
    log.write('a/y');
    assert.equal(cursor.next(), undefined);
  });

  test('reads the events that come while it reads', () => {
    const log = new TestLog();
    const [everywhere, inA] = [log.cursor(), log.cursor('a/')];
    log.write('a/x');
    const first = everywhere.next();
    log.write('b/x');
    log.write('a/y');
    assert.notEqual(first, undefined);
    assert.deepEqual(namesIn(everywhere), ['b/x', 'a/y']);
    assert.deepEqual(namesIn(inA), ['a/x', 'a/y']);
  });

  test('is compacted once the events that it has not read are dropped, and stays so', () => {
    const log = new TestLog();
    const [late, inTime] = [log.cursor(), log.cursor()];
    namesIn(late);
    log.write('a/x');
    assert.deepEqual(namesIn(inTime), ['a/x']);
    log.events.shift();
    log.write('a/y');
    assert.deepEqual([late.next(), late.next()], ['compacted', 'compacted']);
    assert.deepEqual(namesIn(inTime), ['a/y']);
  });
});
