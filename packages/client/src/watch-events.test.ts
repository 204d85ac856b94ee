import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeBody } from './body-queue.ts';
import { linesOf } from './watch-events.ts';

test('lines are the same however they were cut', async () => {
  const bytes = Buffer.from('{"a":1}\n\n{"b":"é"}\n');
  for (let cut = 0; cut <= bytes.length; cut++) {
    for (let second = cut; second <= bytes.length; second++) {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut, second), bytes.subarray(second)];
      assert.deepEqual(await texts(pieces), ['{"a":1}', '{"b":"é"}']);
    }
  }
});

test('a line that does not end is none', async () => {
  await assert.rejects(texts([Buffer.from('{"a":1}\n{"b"')]), { name: 'ConnectionError', reached: 'cut' });
});

test('a line that is too long is not kept', async () => {
  const piece = Buffer.alloc(100, 'x');
  let read = 0;
  const endless = async function* () {
    for (;;) {
      read++;
      yield await Promise.resolve(piece);
    }
  };
  await assert.rejects(linesOf(endless(), 1024).next(), { name: 'AnswerTooLarge', limitBytes: 1024 });
  assert.equal(read, 11);
});

async function texts(pieces: readonly Uint8Array[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(wholeBody(pieces), 1024)) lines.push(Buffer.from(line).toString());
  return lines;
}
