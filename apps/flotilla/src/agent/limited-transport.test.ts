import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { limitedTransport } from './limited-transport.ts';

test('requests beyond the burst wait for their turn, and can be given up', async () => {
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
  const given = transport.send({ ...request, signal: ending.signal });
  await clock.advance(0);
  assert.equal(sent, 2);
  await clock.advance(100);
  assert.equal(sent, 3);
  ending.abort(new Error('nobody waits'));
  await assert.rejects(given, /nobody waits/);
  await Promise.all(first);
});
