import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { silentLogger } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { KeyWorkers } from './key-workers.ts';

function workersFor(work: (key: string) => Promise<{ comeBackAfterMs?: number } | undefined>, workers = 2) {
  const clock = new ManualClock();
  return { clock, workers: new KeyWorkers({ clock, logger: silentLogger, workers, work }) };
}

describe('workers', () => {
  test('do each key once, however often it was added', async () => {
    const done: string[] = [];
    const { clock, workers } = workersFor((key) => {
      done.push(key);
      return Promise.resolve(undefined);
    });
    for (const key of ['a', 'b', 'a']) workers.add(key);
    assert.equal(workers.isAtRest, false);
    await clock.advance(0);
    assert.deepEqual(done, ['a', 'b']);
    assert.equal(workers.isAtRest, true);
  });

  test('try again what failed, and are not at rest before', async () => {
    let tries = 0;
    const { clock, workers } = workersFor(() => {
      if (++tries < 3) throw new Error('not yet');
      return Promise.resolve(undefined);
    });
    workers.add('a');
    await clock.advance(0);
    assert.equal(workers.isAtRest, false);
    await clock.advance(1000);
    assert.equal(tries, 3);
    assert.equal(workers.isAtRest, true);
  });

  test('come back when they said so', async () => {
    let turns = 0;
    const { clock, workers } = workersFor(() => Promise.resolve(++turns === 1 ? { comeBackAfterMs: 5000 } : undefined));
    workers.add('a');
    await clock.advance(4999);
    assert.equal(turns, 1);
    await clock.advance(1);
    assert.equal(turns, 2);
  });

  test('are never more than allowed', async () => {
    let running = 0;
    let most = 0;
    const { clock, workers } = workersFor(async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return undefined;
    }, 3);
    for (let key = 0; key < 20; key++) workers.add(String(key));
    await clock.advance(0);
    assert.equal(most, 3);
    assert.equal(workers.isAtRest, true);
  });

  test('begin nothing once they are closed', async () => {
    const { clock, workers } = workersFor(() => assert.fail('closed'));
    workers.add('a');
    workers.close();
    await clock.advance(1000);
  });
});
