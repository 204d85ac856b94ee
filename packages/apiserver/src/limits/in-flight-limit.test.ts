import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { administrator, anonymous, type ApiRequest, type ApiResponse, type User } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { InFlightLimit } from './in-flight-limit.ts';
import { waitingRequestBytes } from './limits.ts';
import { SharedLimit } from './shared-limit.ts';
import { OverLimit } from './in-flight-request.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const [jane, bob, eve]: readonly [User, User, User] = [member('jane'), member('bob'), member('eve')];

function member(name: string): User {
  return { name, groups: ['team', 'system:authenticated'] };
}

async function startServer(inFlightLimits: { reading: number; changing: number }): Promise<TestServer> {
  const server = await startTestServer({ inFlightLimits });
  const role = { metadata: { name: 'all' }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] };
  await server.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { body: role });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'all' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'team' }];
  const binding = { metadata: { name: 'all' }, roleRef, subjects };
  await server.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { body: binding });
  return server;
}

/** Reads at a future revision: stays in flight until the next write. */
function reading(server: TestServer, user: User): Promise<ApiResponse> {
  const revision = server.store.revision + 1;
  return server.send('GET', `${configMaps}?resourceVersion=${revision}`, { user });
}

function create(server: TestServer, name: string, user: User): Promise<{ status: number }> {
  return server.request('POST', configMaps, { user, body: { metadata: { name } } });
}

describe('requests in flight', () => {
  test('leave a seat for other users, however many requests one user has', async () => {
    const server = await startServer({ reading: 4, changing: 4 });
    const held = [reading(server, jane), reading(server, jane)];
    const refused = await server.request('GET', `${configMaps}?resourceVersion=0`, { user: jane });
    assert.deepEqual([refused.status, refused.text], [429, 'Too many requests, please try again later.\n']);
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(refused.headers['content-type'], 'text/plain; charset=utf-8');
    held.push(reading(server, bob));
    assert.equal((await server.request('GET', configMaps, { user: bob })).status, 429);
    assert.equal((await server.request('GET', configMaps, { user: eve })).status, 200);
    await create(server, 'a', jane);
    assert.deepEqual(
      (await Promise.all(held)).map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal((await server.request('GET', configMaps, { user: jane })).status, 200);
  });

  test('do not block changes, probes, watches and system:masters', async () => {
    const server = await startServer({ reading: 1, changing: 1 });
    const held = reading(server, jane);
    for (const path of ['/healthz', '/livez', '/readyz']) {
      assert.equal((await server.request('GET', path, { user: jane })).status, 200);
    }
    assert.equal((await server.request('GET', configMaps, { user: jane })).status, 429);
    assert.equal((await server.request('GET', configMaps, { user: administrator })).status, 200);
    const target = `${configMaps}?watch=true&resourceVersion=${server.store.revision}`;
    const watch = await server.watch(target, { user: jane });
    assert.equal((await create(server, 'm', jane)).status, 201);
    assert.equal((await watch.events()).length, 1);
    await held;
  });

  test('release their seat when they fail', async () => {
    const server = await startServer({ reading: 1, changing: 1 });
    for (let count = 0; count < 5; count++) {
      const answer = await server.request('POST', configMaps, { user: jane, body: 'no JSON' });
      assert.equal(answer.status, 400);
    }
    assert.equal((await create(server, 'x', jane)).status, 201);
  });
});

describe('requests whose bodies never end', () => {
  /** A request that waits for its body until `end` is called. */
  function unfinished(server: TestServer, name: string, user: User): { end: () => void; answer: Promise<ApiResponse> } {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    const request: ApiRequest = {
      method: 'POST',
      path: configMaps,
      query: '',
      headers: { 'content-type': 'application/json' },
      user,
      body: () => promise,
      signal: new AbortController().signal,
    };
    const answer = Promise.resolve(server.api.handle(request));
    return { answer, end: () => resolve(Buffer.from(JSON.stringify({ metadata: { name } }))) };
  }

  test('do not affect other callers', async () => {
    const server = await startServer({ reading: 2, changing: 2 });
    const waiting = Array.from({ length: 500 }, (_, index) => unfinished(server, `late-${index}`, jane));
    for (const user of [bob, jane]) assert.equal((await create(server, `of-${user.name}`, user)).status, 201);
    waiting[0]?.end();
    assert.equal((await waiting[0]?.answer)?.status, 201);
    await server.clock.advance(60_000);
    const statuses = await Promise.all(waiting.slice(1).map(({ answer }) => answer.then(({ status }) => status)));
    assert.deepEqual(new Set(statuses), new Set([504]));
  });
});

describe('a limit', () => {
  const limits = { reading: 4, changing: 4 };
  const here = {};

  test('counts a share of the memory for bodies, from the first byte to the response', async () => {
    const limit = new InFlightLimit(limits, new SharedLimit('bodyBytes', 10 * waitingRequestBytes));
    const first = limit.inFlightRequest('changing', here, jane);
    first.wait();
    first.received(4 * waitingRequestBytes);
    assert.throws(() => first.received(1), OverLimit);
    const second = limit.inFlightRequest('changing', here, jane);
    assert.throws(() => second.wait(), OverLimit);
    limit.inFlightRequest('changing', here, bob).wait();
    const answer = Promise.withResolvers<void>();
    first.endWith(answer.promise);
    answer.resolve();
    await answer.promise;
    await Promise.resolve();
    limit.inFlightRequest('changing', here, jane).received(4 * waitingRequestBytes);
    // A body that continues after its response must not be kept.
    assert.throws(() => first.received(1), OverLimit);
  });

  test('limits memory for system:masters, too, but never refuses them a seat', () => {
    const limit = new InFlightLimit({ reading: 1, changing: 1 }, new SharedLimit('bodyBytes', 100));
    for (let count = 0; count < 3; count++) limit.inFlightRequest('changing', here, administrator).begin();
    assert.equal(limit.isFull('changing', here, administrator), false);
    assert.equal(limit.isFull('changing', here, jane), true);
    const work = limit.inFlightRequest('changing', here, administrator);
    for (let count = 0; count < 50; count++) work.received(1);
    assert.throws(() => work.received(1), OverLimit);
  });

  test('counts anonymous users by connection', () => {
    const limit = new InFlightLimit(limits);
    const [one, other] = [{ connection: {} }, { connection: {} }];
    for (let count = 0; count < 2; count++) limit.inFlightRequest('reading', one, anonymous).begin();
    assert.deepEqual(
      [one, other].map((connection) => limit.isFull('reading', connection, anonymous)),
      [true, false],
    );
  });

  test('leaves a seat for the next holder if several take all they can get', () => {
    const limit = new InFlightLimit({ reading: 400, changing: 200 });
    for (let user = 0; user < 8; user++) {
      while (!limit.isFull('reading', here, member(`user-${user}`))) {
        limit.inFlightRequest('reading', here, member(`user-${user}`)).begin();
      }
      assert.equal(limit.isFull('reading', here, member(`user-${user + 1}`)), false);
    }
  });
});
