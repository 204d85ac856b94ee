import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pods } from '@flotilla/kube';
import { LoopTurns } from '@flotilla/timing';
import { defaultResponseLimits as limits } from './response-limits.ts';
import { WholeBody } from './body-queue.ts';
import { readList } from './read-list.ts';
import { LineSplitter, WatchEvents } from './watch-events.ts';

test('lines do not depend on how the body was chunked', () => {
  const bytes = Buffer.from('{"a":1}\n\n{"b":"é"}\n');
  for (let cut = 0; cut <= bytes.length; cut++) {
    for (let second = cut; second <= bytes.length; second++) {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut, second), bytes.subarray(second)];
      assert.deepEqual(texts(pieces), ['{"a":1}', '{"b":"é"}']);
    }
  }
});

test('an unfinished line is an error', () => {
  assert.throws(() => texts([Buffer.from('{"a":1}\n{"b"')]), { name: 'ConnectionError', reached: 'cut' });
});

test('a line beyond the limit is an error', () => {
  const lines = new LineSplitter(1024);
  const piece = Buffer.alloc(100, 'x');
  for (let count = 1; count <= 10; count++) assert.deepEqual(lines.split(piece), []);
  assert.throws(() => lines.split(piece), { name: 'ResponseTooLarge', limitBytes: 1024 });
});

const pod = JSON.stringify({ metadata: { name: 'a', annotations: { filler: 'x'.repeat(10_000) } } });

/** Counts turns of the event loop until `work` is done. Each read of the clock advances it by 3 ms. */
async function turnsOf(work: (turns: LoopTurns) => Promise<void>): Promise<number> {
  let now = 0;
  let count = 0;
  let isDone = false;
  const tick = (): void => {
    count++;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  await work(new LoopTurns(() => (now += 3)));
  isDone = true;
  return count;
}

test('a watch with many buffered events yields to the event loop', async () => {
  const body = new WholeBody([Buffer.from(`{"type":"ADDED","object":${pod}}\n`.repeat(100))]);
  const turns = await turnsOf(async (given) => {
    let events = 0;
    const { signal } = new AbortController();
    for await (const _event of new WatchEvents(() => Promise.resolve(body), signal, { limits, turns: given })) events++;
    assert.equal(events, 100);
  });
  assert.ok(turns >= 3, `there were ${turns}`);
});

test('a large buffered list yields to the event loop', async () => {
  const body = new WholeBody([
    Buffer.from(`{"items":[${Array.from({ length: 100 }, () => pod).join(',')}],"metadata":{}}`),
  ]);
  const turns = await turnsOf(async (given) => {
    assert.equal((await readList(pods, body, { limits, turns: given })).items.length, 100);
  });
  assert.ok(turns >= 3, `there were ${turns}`);
});

function texts(pieces: readonly Uint8Array[]): string[] {
  const splitter = new LineSplitter(1024);
  const lines = pieces.flatMap((piece) => splitter.split(piece));
  splitter.end();
  return lines.map((line) => Buffer.from(line).toString());
}
