import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { rotateCertificates } from './certificate-rotation.ts';
import type { ServerIdentity } from './certificates.ts';

const minute = 60_000;
const identity = (certificate: string): ServerIdentity => ({
  key: 'k',
  certificate,
  authority: 'a',
  clientAuthority: 'c',
});

test('a changed certificate is used from the next minute on, and an invalid one is not', async () => {
  const clock = new ManualClock(Date.parse('2026-01-02T03:04:05Z'));
  const used: string[] = [];
  const faults: unknown[] = [];
  let next = identity('first');
  const stop = rotateCertificates(next, {
    clock,
    current: () => Promise.resolve(next),
    use: ({ certificate }) => {
      if (certificate === 'broken') throw new Error('key values mismatch');
      used.push(certificate);
    },
    failed: (error) => faults.push(error),
  });
  const aMinuteLater = async (certificate: string): Promise<void> => {
    next = identity(certificate);
    await clock.advance(minute);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await aMinuteLater('first');
  assert.deepEqual(used, []);
  await aMinuteLater('second');
  await aMinuteLater('broken');
  await aMinuteLater('broken');
  await aMinuteLater('third');
  assert.deepEqual(used, ['second', 'third']);
  assert.equal(faults.length, 1, 'the same error is reported once');
  stop();
  await aMinuteLater('fourth');
  assert.deepEqual(used, ['second', 'third']);
});
