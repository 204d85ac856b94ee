import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { ConnectionError } from './connection-error.ts';
import { createClient } from './create-client.ts';
import { sendWithRetries } from './retry.ts';
import { scriptedTransport, type Script } from './scripted-transport.testing.ts';

describe('a retried request', () => {
  const later = (status: number, seconds: string): Script => {
    return (_request, index) => (index === 0 ? { status, headers: { 'retry-after': seconds } } : { status: 200 });
  };

  test('waits for Retry-After plus jitter', async () => {
    const { times, status } = await outcome('POST', later(429, '3'), 0.5);
    assert.deepEqual([times, status], [[0, 3150], 200]);
  });

  test('is retried after 503 only with Retry-After', async () => {
    assert.deepEqual((await outcome('PUT', later(503, '1'))).times, [0, 1000]);
    assert.deepEqual((await outcome('PUT', () => ({ status: 503 }))).times, [0]);
  });

  test('is not retried after another failure unless it is a read', async () => {
    assert.deepEqual((await outcome('POST', later(500, '1'))).times, [0]);
    assert.deepEqual((await outcome('GET', later(500, '1'))).times, [0, 1000]);
  });

  test('fails after the maximum number of retries or a long Retry-After', async () => {
    const { times, status } = await outcome('GET', () => ({ status: 429, headers: { 'retry-after': '1' } }));
    assert.deepEqual([times.length, status], [11, 429]);
    assert.deepEqual((await outcome('GET', later(429, '3600'))).times, [0]);
    assert.deepEqual((await outcome('GET', later(429, 'tomorrow'))).times, [0]);
  });

  test('is retried if the connection of a read was cut', async () => {
    const cut: Script = (_request, index) => (index === 0 ? new ConnectionError('cut', 'cut') : {});
    assert.deepEqual((await outcome('GET', cut)).times, [0, 1000]);
    await assert.rejects(outcome('POST', cut), { message: 'cut' });
    const away: Script = () => new ConnectionError('away', 'unreachable');
    await assert.rejects(outcome('GET', away), { message: 'away' });
  });

  test('stops waiting when its signal is aborted', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const transport = scriptedTransport(later(429, '10'));
    const request = { method: 'GET', path: '/', query: '', headers: {}, signal: stop.signal };
    const sent = sendWithRetries(transport, request, { clock, random: () => 0 });
    const failed = assert.rejects(sent, { message: 'enough' });
    await clock.advance(5_000);
    stop.abort(new Error('enough'));
    await failed;
    assert.deepEqual([transport.requests.length, clock.pending], [1, 0]);
  });

  test('is not retried once the client is closed', async () => {
    const clock = new ManualClock();
    const transport = scriptedTransport(later(429, '3'));
    const client = createClient(transport, { clock });
    const failed = assert.rejects(client.request({ method: 'GET', path: '/version' }), {
      message: 'the client is closed',
    });
    await clock.advance(0);
    await client.close();
    await failed;
    assert.equal(clock.pending, 0);
  });
});

/** When each request was sent, and how the last one ended. */
async function outcome(method: string, script: Script, random = 0): Promise<{ times: number[]; status: number }> {
  const clock = new ManualClock(0);
  const times: number[] = [];
  const transport = scriptedTransport((request, index) => {
    times.push(clock.now());
    return script(request, index);
  });
  const request = { method, path: '/', query: '', headers: {} };
  const [{ status }] = await Promise.all([
    sendWithRetries(transport, request, { clock, random: () => random }),
    clock.advance(60_000),
  ]);
  return { times, status };
}
