import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Transport } from '@flotilla/client';
import { silentLogger, type KubeObject } from '@flotilla/kube';
import { InformerSet, NotYet } from '@flotilla/runtime';
import { ManualClock, startTestServer, type TestServer } from '@flotilla/testkit';
import { MemberKinds } from './member-kinds.ts';
import { berths, kinds as known, RequestRecorder } from '../applier.testing.ts';

describe('the kinds of a member', () => {
  let clock: ManualClock;
  let cluster: TestServer;
  let requests: RequestRecorder;
  let groups: string[];
  let kinds: MemberKinds;
  let answer: ((path: string) => object | undefined) | undefined;

  beforeEach(async () => {
    clock = new ManualClock();
    cluster = await startTestServer({ clock });
    requests = new RequestRecorder();
    groups = [];
    answer = undefined;
    const client = cluster.connect({ wrap: (transport) => requests.through(scripted(transport)) });
    const informers = new InformerSet({ client, clock, random: () => 0.5, logger: silentLogger });
    kinds = new MemberKinds({ client, clock, informers, groupChanged: (group) => groups.push(group) });
    await clock.advance(0);
  });
  afterEach(async () => {
    await kinds.stop();
    await cluster.stop();
  });

  function scripted(transport: Transport): Transport {
    return {
      ...transport,
      send: async (request) => {
        const body = answer?.(request.path);
        return body === undefined ? transport.send(request) : { status: 200, headers: aggregated, body: piece(body) };
      },
    };
  }

  test('are discovered once for concurrent callers', async () => {
    const found = await Promise.all([
      kinds.find(known.configMap),
      kinds.find(known.deployment),
      kinds.find(known.berth),
    ]);
    assert.deepEqual(
      found.map((kind) => kind?.plural),
      ['configmaps', 'deployments', undefined],
    );
    assert.deepEqual(requests.take(), ['GET /api', 'GET /apis']);
  });

  test('that are unknown do not cause repeated discovery', async () => {
    await kinds.find(known.berth);
    requests.take();
    await kinds.find(known.berth);
    assert.deepEqual(requests.take(), []);
    await clock.advance(5_000);
    await kinds.find(known.berth);
    assert.deepEqual(requests.take(), ['GET /api', 'GET /apis']);
  });

  test('appear with their definition, and disappear with it', async () => {
    assert.equal(await kinds.find(known.berth), undefined);
    await cluster.client.create(known.definition, berths as KubeObject);
    await clock.advance(0);
    assert.ok(groups.includes('sea.example.com'));
    assert.ok(kinds.isSettling('sea.example.com'));
    assert.equal((await kinds.find(known.berth))?.plural, 'berths');
    await cluster.client.delete(known.definition, { name: 'berths.sea.example.com' });
    await clock.advance(0);
    assert.equal(await kinds.find(known.berth), undefined);
    await clock.advance(10_000);
    assert.equal(kinds.isSettling('sea.example.com'), false);
  });

  test('differ by version', async () => {
    assert.equal(await kinds.find({ ...known.deployment, version: 'v1beta1' }), undefined);
  });

  test('of an API server that does not answer are not treated as missing', async () => {
    const versions = [{ version: 'v1', resources: [], freshness: 'Stale' }];
    answer = (path) =>
      path === '/apis' ? { items: [{ metadata: { name: 'sea.example.com' }, versions }] } : undefined;
    await assert.rejects(kinds.find(known.berth), NotYet);
  });
});

const aggregated = { 'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

async function* piece(body: object): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(JSON.stringify(body)));
}
