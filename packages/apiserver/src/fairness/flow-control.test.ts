import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { administrator, type ApiRequest, type ApiResponse, type JsonObject, type User } from '@flotilla/kube';
import { flushPromises, startTestServer, type TestServer } from '@flotilla/testkit';
import { isStream } from '../response/response-parts.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';
const [jane, bob, eve] = [member('jane'), member('bob'), member('eve')];

function member(name: string): User {
  return { name, groups: ['team', 'system:authenticated'] };
}

const queue = { type: 'Queue', queuing: { queues: 64, handSize: 2, queueLengthLimit: 4 } };

/** A server on which the team has seats of its own: three with one share. */
async function startServer(limitResponse: JsonObject = queue, nominalConcurrencyShares = 1): Promise<TestServer> {
  const server = await startTestServer();
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  await server.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    body: { metadata: { name: 'all' }, rules: [everything] },
  });
  const group = 'rbac.authorization.k8s.io';
  await server.request('POST', `/apis/${group}/v1/clusterrolebindings`, {
    body: {
      metadata: { name: 'all' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'all' },
      subjects: [{ apiGroup: group, kind: 'Group', name: 'team' }],
    },
  });
  const limited = { nominalConcurrencyShares, borrowingLimitPercent: 0, limitResponse };
  await server.request('POST', `${flowControl}/prioritylevelconfigurations`, {
    body: { metadata: { name: 'team' }, spec: { type: 'Limited', limited } },
  });
  await server.request('POST', `${flowControl}/flowschemas`, {
    body: {
      metadata: { name: 'team' },
      spec: {
        priorityLevelConfiguration: { name: 'team' },
        matchingPrecedence: 600,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [{ kind: 'Group', group: { name: 'team' } }],
            resourceRules: [{ ...everything, clusterScope: true, namespaces: ['*'] }],
          },
        ],
      },
    },
  });
  await server.settle();
  return server;
}

/** Lists at a future revision: has a seat until the next write. */
function hold(server: TestServer, user: User, count: number): Promise<ApiResponse>[] {
  const target = `${configMaps}?resourceVersion=${server.store.revision + 1}`;
  return Array.from({ length: count }, () => server.send('GET', target, { user }));
}

/** Ends what `hold` holds. */
async function write(server: TestServer): Promise<void> {
  const metadata = { generateName: 'written-' };
  assert.equal((await server.request('POST', configMaps, { body: { metadata } })).status, 201);
}

function create(server: TestServer, name: string, user: User): Promise<{ status: number }> {
  return server.request('POST', configMaps, { user, body: { metadata: { name } } });
}

async function uidOf(server: TestServer, path: string): Promise<unknown> {
  const { body } = await server.request('GET', `${flowControl}/${path}`);
  return (body['metadata'] as JsonObject)['uid'];
}

describe('a request', () => {
  test('names its flow schema and its priority level in the response', async () => {
    const server = await startServer();
    const schemaOf = async (user: User, path: string): Promise<readonly unknown[]> => {
      const { headers } = await server.request('GET', path, { user });
      return [headers['x-kubernetes-pf-flowschema-uid'], headers['x-kubernetes-pf-prioritylevel-uid']];
    };
    const uidsOf = async (schema: string, level: string): Promise<readonly unknown[]> => [
      await uidOf(server, `flowschemas/${schema}`),
      await uidOf(server, `prioritylevelconfigurations/${level}`),
    ];
    assert.deepEqual(await schemaOf(jane, configMaps), await uidsOf('team', 'team'));
    assert.deepEqual(await schemaOf(jane, '/version'), await uidsOf('global-default', 'global-default'));
    assert.deepEqual(await schemaOf(jane, '/livez'), await uidsOf('probes', 'exempt'));
    assert.deepEqual(await schemaOf(administrator, configMaps), await uidsOf('exempt', 'exempt'));
    await server.request('DELETE', `${flowControl}/flowschemas/team`);
    assert.deepEqual(await schemaOf(jane, configMaps), await uidsOf('global-default', 'global-default'));
  });

  test('without a seat waits in a queue', async () => {
    const server = await startServer();
    const held = hold(server, jane, 3);
    let isAnswered = false;
    const waiting = create(server, 'later', jane).then((answer) => {
      isAnswered = true;
      return answer;
    });
    await flushPromises();
    assert.equal(isAnswered, false);
    await write(server);
    assert.equal((await waiting).status, 201);
    for (const { status } of await Promise.all(held)) assert.equal(status, 200);
  });

  test('is refused when its queues are full, or when the level has none', async () => {
    for (const [response, waiting] of [
      [queue, 8],
      [{ type: 'Reject' }, 0],
    ] as const) {
      const server = await startServer(response);
      const held = hold(server, jane, 3 + waiting);
      for (const [method, body] of [['GET', undefined] as const, ['POST', { metadata: { name: 'x' } }] as const]) {
        const refused = await server.request(method, configMaps, { user: jane, ...(body && { body }) });
        assert.deepEqual([refused.status, refused.text], [429, 'Too many requests, please try again later.\n']);
        assert.equal(refused.headers['retry-after'], '1');
        assert.equal(refused.headers['content-type'], 'text/plain; charset=utf-8');
        assert.equal(
          refused.headers['x-kubernetes-pf-prioritylevel-uid'],
          await uidOf(server, 'prioritylevelconfigurations/team'),
        );
      }
      await write(server);
      for (const { status } of await Promise.all(held)) assert.equal(status, 200);
    }
  });

  test('is refused after a quarter of its time in a queue', async () => {
    const server = await startServer();
    const held = hold(server, jane, 3);
    const [usual, short] = ['', '?timeout=2s'].map((query) =>
      server.request('GET', configMaps + query, { user: jane }),
    );
    await server.clock.advance(500);
    assert.equal((await short)?.status, 429);
    await write(server);
    assert.equal((await usual)?.status, 200);
    await Promise.all(held);
  });

  test('of system:masters never waits, nor do probes and long-running requests', async () => {
    const server = await startServer();
    const held = hold(server, jane, 3);
    assert.equal((await server.request('GET', configMaps, { user: administrator })).status, 200);
    for (const path of ['/healthz', '/livez', '/readyz']) {
      assert.equal((await server.request('GET', path, { user: jane })).status, 200);
    }
    const log = await server.request('GET', '/api/v1/namespaces/default/pods/p/log', { user: jane });
    assert.deepEqual([log.status, log.headers['x-kubernetes-pf-flowschema-uid']], [404, undefined]);
    await write(server);
    await Promise.all(held);
  });

  test('gives its seat back when it fails', async () => {
    const server = await startServer({ type: 'Reject' });
    for (let count = 0; count < 5; count++) {
      assert.equal((await server.request('POST', configMaps, { user: jane, body: 'no JSON' })).status, 400);
    }
    assert.equal((await create(server, 'x', jane)).status, 201);
  });

  test('of a user with few requests comes before those of a user with many', async () => {
    const server = await startServer();
    const held = hold(server, eve, 3);
    const done: string[] = [];
    const note = (name: string) => (): number => done.push(name);
    const waiting = Array.from({ length: 8 }, (_, index) => create(server, `jane-${index}`, jane).then(note('jane')));
    await flushPromises();
    waiting.push(create(server, 'bob', bob).then(note('bob')));
    await flushPromises();
    await write(server);
    await Promise.all([...held, ...waiting]);
    assert.ok(done.indexOf('bob') <= 3, done.join());
  });
});

describe('a user with many requests in flight', () => {
  const manyShares = 100;

  /** Sends a request as if through a connection. */
  async function sendFromOutside(server: TestServer, user: User, name?: string): Promise<number> {
    const request: ApiRequest = {
      method: name === undefined ? 'GET' : 'POST',
      path: configMaps,
      query: name === undefined ? 'limit=1' : '',
      headers: { 'content-type': 'application/json' },
      user,
      body: () => Promise.resolve(Buffer.from(JSON.stringify({ metadata: { name } }))),
      connection: server,
      signal: new AbortController().signal,
    };
    const { status } = await server.api.handle(request);
    return status;
  }

  test('waits for slices of time while another user is present, and makes no other wait', async () => {
    const server = await startServer({ ...queue, queuing: { ...queue.queuing, queueLengthLimit: 100 } }, manyShares);
    assert.equal(await sendFromOutside(server, bob), 200);
    let done = 0;
    const flood = Array.from({ length: 60 }, async (_, index) => {
      const status = await sendFromOutside(server, jane, `flood-${index}`);
      done++;
      return status;
    });
    assert.equal(await sendFromOutside(server, bob, 'of-bob'), 201);
    await server.settle();
    assert.ok(done > 0 && done < 60, `${done}`);
    await server.clock.advance(1000);
    assert.deepEqual(new Set(await Promise.all(flood)), new Set([201]));
  });

  test('is then refused when its queues are full, although seats are free', async () => {
    const server = await startServer(queue, manyShares);
    await sendFromOutside(server, bob);
    const flood = Array.from({ length: 60 }, (_, index) => sendFromOutside(server, jane, `flood-${index}`));
    await server.settle();
    await server.clock.advance(1000);
    assert.deepEqual(new Set(await Promise.all(flood)), new Set([201, 429]));
  });

  test('does not wait alone', async () => {
    const server = await startServer(queue, manyShares);
    const flood = Array.from({ length: 60 }, (_, index) => sendFromOutside(server, jane, `flood-${index}`));
    assert.deepEqual(new Set(await Promise.all(flood)), new Set([201]));
  });
});

describe('bodies that never end', () => {
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

  test('cost no seat', async () => {
    const server = await startServer({ type: 'Reject' });
    const waiting = Array.from({ length: 500 }, (_, index) => unfinished(server, `late-${index}`, jane));
    for (const user of [bob, jane]) assert.equal((await create(server, `of-${user.name}`, user)).status, 201);
    waiting[0]?.end();
    assert.equal((await waiting[0]?.answer)?.status, 201);
    await server.clock.advance(60_000);
    const statuses = await Promise.all(waiting.slice(1).map(({ answer }) => answer.then(({ status }) => status)));
    assert.deepEqual(new Set(statuses), new Set([504]));
  });
});

describe('a list', () => {
  /** Answers of a list that has more bytes than one batch. */
  async function startList(server: TestServer): Promise<ApiResponse> {
    return server.send('GET', configMaps, { user: jane });
  }

  test('has its seats until it waits for its reader', async () => {
    const server = await startServer({ type: 'Reject' });
    const data = { text: 'x'.repeat(100_000) };
    for (let index = 0; index < 8; index++) {
      await server.request('POST', configMaps, { body: { metadata: { name: `big-${index}` }, data } });
    }
    const { body } = await startList(server);
    assert.ok(isStream(body));
    const one = `${configMaps}?limit=1`;
    // The widest request of a level with three seats and no queues has them all.
    assert.equal((await server.request('GET', one, { user: bob })).status, 429);
    assert.equal((await server.request('GET', `${configMaps}/big-0`, { user: bob })).status, 200);
    body.start({
      write: () => false,
      end: () => undefined,
      fail: () => undefined,
      onDrain: () => undefined,
      onClose: () => undefined,
    });
    assert.equal((await server.request('GET', one, { user: bob })).status, 200);
  });
});

describe('an operator', () => {
  test('sees seats, queues and requests in the debug endpoints and metrics', async () => {
    const server = await startServer();
    const held = [...hold(server, jane, 4)];
    await server.request('GET', '/version', { user: bob });
    const dumped = async (path: string): Promise<string[]> =>
      (await server.request('GET', `/debug/api_priority_and_fairness/${path}`)).text.split('\n');
    const levels = await dumped('dump_priority_levels');
    assert.equal(
      levels.find((line) => line.startsWith('team')),
      'team,              1,            false,  false,       1,               3,                 3,                  0,                0,                0',
    );
    const queues = (await dumped('dump_queues')).filter((line) => line.startsWith('team'));
    assert.equal(queues.length, 64);
    assert.equal(queues.filter((line) => / 1, +0, +0, +0\.0{8}ss, +1, +1, +0\.00300000ss$/.test(line)).length, 1);
    const requests = await dumped('dump_requests?includeRequestDetails=1');
    const [waiting] = requests.filter((line) => line.startsWith('team'));
    assert.match(waiting ?? '', /^team, +team, +\d+, +0, +jane, +2026-01-01T00:00:00\.000Z, 1, +0, +0s, +0001-01-01T/);
    assert.match(
      waiting ?? '',
      / jane, +list, +\/api\/v1\/namespaces\/default\/configmaps, default, +, +v1, +configmaps, $/,
    );
    const { text } = await server.request('GET', '/metrics');
    for (const line of [
      'current_executing_requests{flow_schema="team",priority_level="team"} 3',
      'current_inqueue_requests{flow_schema="team",priority_level="team"} 1',
      'current_limit_seats{priority_level="team"} 3',
      'dispatched_requests_total{flow_schema="global-default",priority_level="global-default"} 1',
      'request_wait_duration_seconds_count{execute="true",flow_schema="team",priority_level="team"} 3',
    ]) {
      assert.ok(text.includes(`apiserver_flowcontrol_${line}\n`), line);
    }
    await write(server);
    await Promise.all(held);
  });

  test('sees for how long how much of a level was in use', async () => {
    const server = await startServer();
    const scrape = async (): Promise<Map<string, number>> => {
      const { text } = await server.request('GET', '/metrics');
      const lines = text.matchAll(/^apiserver_flowcontrol_(\S+) (\S+)$/gm);
      return new Map(Array.from(lines, ([, series = '', value]) => [series, Number(value)]));
    };
    const held = [...hold(server, jane, 4)];
    const before = await scrape();
    await server.clock.advance(5);
    const after = await scrape();
    const passed = Array.from(after, ([series, value]) => [series, value - (before.get(series) ?? 0)] as const);
    const ofLevel = passed.filter(([series]) => /"team"|request_kind/.test(series) && !/le="\+Inf"/.test(series));
    const smallest = new Map<string, string>();
    for (const [series, nanoseconds] of ofLevel) {
      const [, of, bound] = /^(.*)_bucket\{(.*)\}$/.exec(series) ?? [];
      const [labels = '', le] = bound?.split(',le=') ?? [];
      const key = `${of} ${labels}`;
      if (nanoseconds === 5e6 && le !== undefined && !smallest.has(key)) smallest.set(key, le);
    }
    // Of four requests, three have all seats, and one waits in 64 queues of four places.
    assert.deepEqual(Object.fromEntries(smallest), {
      'demand_seats priority_level="team"': '"1.4"',
      'priority_level_request_utilization phase="executing",priority_level="team"': '"1"',
      'priority_level_request_utilization phase="waiting",priority_level="team"': '"0.01"',
      'priority_level_seat_utilization phase="executing",priority_level="team"': '"1"',
      'read_vs_write_current_requests phase="executing",request_kind="mutating"': '"0"',
      'read_vs_write_current_requests phase="executing",request_kind="readOnly"': '"0.01"',
      'read_vs_write_current_requests phase="waiting",request_kind="mutating"': '"0"',
      'read_vs_write_current_requests phase="waiting",request_kind="readOnly"': '"0.001"',
    });
    await write(server);
    await Promise.all(held);
  });
});
