import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Http2Connection, type WatchedSession } from './http2-connection.ts';
import { http2Ticks } from '../limits/limits.ts';

const { prefaceTicks, idleTicks, endingTicks, pingTicks, pongTicks } = http2Ticks;

class FakeSession implements WatchedSession {
  closed = false;
  destroyed = false;
  pings = 0;
  pong: (error: Error | null) => void = () => undefined;

  close(): void {
    this.closed = true;
  }

  ping(answered: (error: Error | null) => void): boolean {
    this.pings++;
    this.pong = answered;
    return true;
  }
}

function opened() {
  const session = new FakeSession();
  let cuts = 0;
  const connection = new Http2Connection(session, () => cuts++);
  const tick = (times: number): void => {
    for (let count = 0; count < times; count++) connection.tick();
  };
  return { session, connection, tick, cuts: () => cuts };
}

describe('an HTTP/2 connection', () => {
  test('is cut without a preface', () => {
    const { tick, cuts } = opened();
    tick(prefaceTicks - 1);
    assert.equal(cuts(), 0);
    tick(1);
    assert.equal(cuts(), 1);
  });

  test('is closed after a time without requests', () => {
    const { session, connection, tick, cuts } = opened();
    connection.begin();
    tick(idleTicks - 1);
    connection.opened++;
    connection.ended++;
    tick(idleTicks);
    assert.equal(session.closed, false);
    tick(1);
    assert.equal(session.closed, true);
    assert.equal(cuts(), 0);
  });

  test('stays open while a watch has no events, without a ping', () => {
    const { session, connection, tick, cuts } = opened();
    connection.begin();
    connection.opened++;
    tick(idleTicks * 100);
    assert.deepEqual([session.closed, session.pings, cuts()], [false, 0, 0]);
  });

  test('is cut when its session has ended and its socket has not', () => {
    const { session, connection, tick, cuts } = opened();
    connection.begin();
    session.destroyed = true;
    tick(endingTicks - 1);
    assert.equal(cuts(), 0);
    tick(1);
    assert.equal(cuts(), 1);
  });

  test('lets streams continue after GOAWAY while its client answers pings', () => {
    const { session, connection, tick, cuts } = opened();
    connection.begin();
    connection.opened++;
    session.closed = true;
    for (let round = 1; round <= 20; round++) {
      tick(pingTicks);
      assert.equal(session.pings, round);
      tick(pongTicks - 1);
      session.pong(null);
    }
    assert.equal(cuts(), 0);
    tick(pingTicks + pongTicks);
    assert.equal(cuts(), 1);
  });
});
