import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { Query } from './query.ts';
import { requestTimeoutMs, withTimeout } from './request-timeout.ts';

describe('the timeout of a request', () => {
  test('is a minute, or less if its client asks for less', () => {
    assert.equal(requestTimeoutMs(Query.of('')), 60_000);
    assert.equal(requestTimeoutMs(Query.of('timeout=1m30s')), 60_000);
    assert.equal(requestTimeoutMs(Query.of('timeout=1.5s')), 1500);
    assert.equal(requestTimeoutMs(Query.of('timeout=0s')), 60_000);
  });

  test('must be a duration', () => {
    assert.throws(() => requestTimeoutMs(Query.of('timeout=soon')), {
      message: 'invalid timeout specified in the request URL - time: invalid duration "soon"',
    });
  });

  test('rejects work that does not end in time', async () => {
    const clock = new ManualClock();
    const body = withTimeout(60_000, (ms, call) => clock.after(ms, call), new Promise<never>(() => undefined));
    const refused = assert.rejects(body, (error) => error instanceof ApiError && error.code === 504);
    await clock.advance(60_000);
    await refused;
  });

  test('does not affect work that has ended', async () => {
    const clock = new ManualClock();
    assert.equal(await withTimeout(1000, (ms, call) => clock.after(ms, call), Promise.resolve('done')), 'done');
    await clock.advance(2000);
  });
});
