import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '@flotilla/testkit';
import { FairQueues, type Waiting } from './fair-queues.ts';
import { dealHand, flowHash } from './shuffle-sharding.ts';

describe('the queues of a flow', () => {
  const deck = { queues: 128, handSize: 6 };

  /** Neighbours in a hand, from the debug endpoint of kube-apiserver v1.36.4 with two requests of each user. */
  const recorded: readonly (readonly [user: string, first: number, second: number])[] = [
    ['jane', 86, 104],
    ['bob', 116, 53],
    ['eve', 117, 121],
    ['zoë', 24, 63],
    ['walt', 113, 57],
  ];

  for (const [user, first, second] of recorded) {
    test(`are kube-apiserver's for ${user}`, () => {
      const hand = dealHand(flowHash('global-default', user), deck);
      assert.equal(hand[hand.indexOf(first) + 1], second);
    });
  }

  test('are different ones, for any hash and deck', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 500; round++) {
      const queues = 1 + Math.floor(random() * 200);
      const handSize = 1 + Math.floor(random() * Math.min(queues, 7));
      const hand = dealHand(flowHash(String(round), ''), { queues, handSize });
      assert.equal(new Set(hand).size, handSize);
      assert.ok(hand.every((queue) => queue >= 0 && queue < queues));
    }
  });
});

interface Request extends Waiting {
  readonly user: string;
}

function request(user: string, seats = 1): Request {
  return { user, seats, isGone: () => false, drop: () => undefined };
}

describe('fair queues', () => {
  /** Serves one request at a time until the queues are empty. Returns the users in order. */
  function serve(queues: FairQueues<Request>, tookMs: (user: string) => number): string[] {
    const served: string[] = [];
    let now = 0;
    for (let queue = queues.next(); queue !== undefined; queue = queues.next()) {
      const next = queues.dispatch(queue);
      if (next === undefined) break;
      now += tookMs(next.user);
      queues.advance(now);
      queues.finish(queue, next.seats, tookMs(next.user));
      served.push(next.user);
    }
    return served;
  }

  test('serve a late request of one user before the many of another', () => {
    const queues = new FairQueues<Request>(0, 8, 50);
    for (let count = 0; count < 20; count++) queues.enqueue(request('jane'), [1], false);
    queues.enqueue(request('bob'), [2], false);
    assert.ok(serve(queues, () => 1).indexOf('bob') <= 1);
  });

  test('serve it early even if the level has more free seats than turns of the event loop', () => {
    const queues = new FairQueues<Request>(0, 8, 1000);
    const hand = [0, 1, 2, 3, 4, 5];
    for (let count = 0; count < 200; count++) queues.enqueue(request('jane'), hand, false);
    let now = 0;
    const serveOne = (): string | undefined => {
      const queue = queues.next();
      const served = queue && queues.dispatch(queue);
      queues.advance(++now);
      if (queue && served) queues.finish(queue, 1, 1);
      queues.enqueue(request('jane'), hand, false);
      return served?.user;
    };
    for (let count = 0; count < 300; count++) serveOne();
    queues.enqueue(request('bob'), [7], false);
    const soon = Array.from({ length: 15 }, serveOne);
    assert.ok(soon.includes('bob'), soon.join());
  });

  test('give users equal time, not equal numbers of requests', () => {
    const queues = new FairQueues<Request>(0, 8, 1000);
    for (let count = 0; count < 300; count++) {
      queues.enqueue(request('slow'), [1], false);
      queues.enqueue(request('fast'), [2], false);
    }
    const first = serve(queues, (user) => (user === 'slow' ? 10 : 1)).slice(0, 110);
    const slow = first.filter((user) => user === 'slow').length;
    assert.ok(slow >= 8 && slow <= 14, `${slow} slow ones of 110`);
  });

  test('take seats for time', () => {
    const queues = new FairQueues<Request>(0, 8, 1000);
    for (let count = 0; count < 100; count++) {
      queues.enqueue(request('wide', 5), [1], false);
      queues.enqueue(request('narrow'), [2], false);
    }
    const first = serve(queues, () => 3).slice(0, 60);
    assert.equal(first.filter((user) => user === 'wide').length, 10);
  });

  test('are full at their length, and have room again when a caller has gone', () => {
    const queues = new FairQueues<Request>(0, 8, 2);
    let dropped = 0;
    const gone: Request = { ...request('gone'), isGone: () => true, drop: () => dropped++ };
    assert.ok(queues.enqueue(gone, [3], false));
    assert.ok(queues.enqueue(request('jane'), [3], false));
    assert.ok(queues.isFull([3]));
    assert.ok(queues.enqueue(request('bob'), [3], false));
    assert.equal(dropped, 1);
    assert.equal(queues.enqueue(request('eve'), [3], false), undefined);
    assert.deepEqual(
      serve(queues, () => 1),
      ['jane', 'bob'],
    );
  });

  test('keep no queue that is idle, whatever happens', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const random = seededRandom(seed);
      const queues = new FairQueues<Request>(0, 16, 5);
      const executing: [NonNullable<ReturnType<typeof queues.next>>, Request][] = [];
      for (let now = 0; now < 2000; now++) {
        queues.advance(now);
        const chance = random();
        if (chance < 0.5) {
          queues.enqueue(request('x', 1 + Math.floor(random() * 3)), [Math.floor(random() * 16)], false);
        } else if (chance < 0.7) {
          const queue = queues.next();
          const next = queue && queues.dispatch(queue);
          if (queue && next) executing.push([queue, next]);
        } else if (chance < 0.9) {
          const [queue, next] = executing.shift() ?? [];
          if (queue && next) queues.finish(queue, next.seats, random() * 10);
        } else {
          const [queue, waiting] = queues.all().next().value ?? [];
          if (queue && waiting) assert.ok(queues.remove(queue, waiting));
        }
      }
      for (const [queue, next] of executing) queues.finish(queue, next.seats, 1);
      serve(queues, () => 1);
      assert.deepEqual([queues.waiting, queues.waitingSeats], [0, 0]);
      for (let index = 0; index < 16; index++) assert.equal(queues.stateOf(index), undefined);
    }
  });
});
