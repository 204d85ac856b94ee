import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { limitedTransport } from './connect-clusters.ts';

test('delays requests beyond the burst, and aborts one that waits', async () => {
  const clock = new ManualClock();
  let sent = 0;
  const plain = {
    send: () => {
      sent++;
      return Promise.resolve({ status: 200, headers: {}, body: (async function* () {})() });
    },
    close: () => Promise.resolve(),
  };
  const transport = limitedTransport(plain, { perSecond: 10, burst: 2 }, clock);
  const request = { method: 'GET', path: '/', query: '', headers: {} };
  const first = [transport.send(request), transport.send(request), transport.send(request)];
  const ending = new AbortController();
  const aborted = transport.send({ ...request, signal: ending.signal });
  await clock.advance(0);
  assert.equal(sent, 2);
  await clock.advance(100);
  assert.equal(sent, 3);
  ending.abort(new Error('aborted by the caller'));
  await assert.rejects(aborted, /aborted by the caller/);
  await Promise.all(first);
});
