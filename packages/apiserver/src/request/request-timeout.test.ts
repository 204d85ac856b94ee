import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { Query } from './query.ts';
import { requestTimeoutMs, within } from './request-timeout.ts';

describe('the time that a request has', () => {
  test('is a minute, or less if its client says so', () => {
    assert.equal(requestTimeoutMs(Query.of('')), 60_000);
    assert.equal(requestTimeoutMs(Query.of('timeout=1m30s')), 60_000);
    assert.equal(requestTimeoutMs(Query.of('timeout=1.5s')), 1500);
    assert.equal(requestTimeoutMs(Query.of('timeout=0s')), 60_000);
  });

  test('is a duration', () => {
    assert.throws(() => requestTimeoutMs(Query.of('timeout=soon')), {
      message: 'invalid timeout specified in the request URL - time: invalid duration "soon"',
    });
  });

  test('ends work that does not end by itself', async () => {
    const clock = new ManualClock();
    const body = within(60_000, (ms, call) => clock.after(ms, call), new Promise<never>(() => undefined));
    const refused = assert.rejects(body, (error) => error instanceof ApiError && error.code === 504);
    await clock.advance(60_000);
    await refused;
  });

  test('does not matter to work that was done', async () => {
    const clock = new ManualClock();
    assert.equal(await within(1000, (ms, call) => clock.after(ms, call), Promise.resolve('done')), 'done');
    await clock.advance(2000);
  });
});
