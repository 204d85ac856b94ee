import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { administrator, anonymous, type User } from '@flotilla/kube';
import { BodyLimit, type BodyShare } from './body-limit.ts';
import { waitingRequestBytes } from './limits.ts';
import { SharedLimit } from './shared-limit.ts';
import { TooManyRequests } from './too-many-requests.ts';

const [jane, bob]: readonly [User, User] = [
  { name: 'jane', groups: [] },
  { name: 'bob', groups: [] },
];

function limitOf(bytes: number): (user: User, connection?: object) => BodyShare {
  const limit = new BodyLimit(new SharedLimit(bytes));
  return (user, connection) => limit.bodyOf({ connection }, user);
}

describe('the memory for bodies', () => {
  test('is shared: a user holds its part from the first byte to the response', () => {
    const bodyOf = limitOf(10 * waitingRequestBytes);
    const first = bodyOf(jane);
    first.wait();
    first.received(4 * waitingRequestBytes);
    assert.throws(() => first.received(1), TooManyRequests);
    assert.throws(() => bodyOf(jane).wait(), TooManyRequests);
    bodyOf(bob).wait();
    first.release();
    bodyOf(jane).received(4 * waitingRequestBytes);
    // A body that continues after its response must not be kept.
    assert.throws(() => first.received(1), TooManyRequests);
  });

  test('is limited for system:masters, too', () => {
    const body = limitOf(100)(administrator);
    for (let count = 0; count < 50; count++) body.received(1);
    assert.throws(() => body.received(1), TooManyRequests);
  });

  test('is counted by connection for anonymous users', () => {
    const bodyOf = limitOf(100);
    const [one, other] = [{}, {}];
    bodyOf(anonymous, one).received(50);
    assert.throws(() => bodyOf(anonymous, one).received(1), TooManyRequests);
    bodyOf(anonymous, other).received(25);
  });

  test('leaves something for the next user if several take all they can get', () => {
    const bodyOf = limitOf(400);
    const takeAll = (share: BodyShare): void => {
      for (;;) share.received(1);
    };
    for (let user = 0; user < 8; user++) {
      assert.throws(() => takeAll(bodyOf({ name: `user-${user}`, groups: [] })), TooManyRequests);
      const next = bodyOf({ name: 'next', groups: [] });
      next.received(1);
      next.release();
    }
  });
});
