import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Transport } from '@flotilla/client';
import { configMaps, customResourceDefinitions, deployments, silentLogger, type KubeObject } from '@flotilla/kube';
import { ManualClock, startTestServer, type TestServer } from '@flotilla/testkit';
import { NotYet } from './failures.ts';
import { InformerSet } from './informer/informer-set.ts';
import { ServedKinds } from './served-kinds.ts';

const known = {
  configMap: configMaps,
  deployment: deployments,
  definition: customResourceDefinitions,
  berth: { group: 'sea.example.com', version: 'v1', kind: 'Berth' },
};

const berths: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'berths.sea.example.com' },
  spec: {
    group: 'sea.example.com',
    names: { kind: 'Berth', listKind: 'BerthList', plural: 'berths', singular: 'berth' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

describe('the served kinds', () => {
  let clock: ManualClock;
  let cluster: TestServer;
  let requests: string[];
  let groups: string[];
  let kinds: ServedKinds;
  let answer: ((path: string) => object | undefined) | undefined;

  beforeEach(async () => {
    clock = new ManualClock();
    cluster = await startTestServer({ clock });
    requests = [];
    groups = [];
    answer = undefined;
    const client = cluster.connect({ wrap: (transport) => scripted(transport) });
    const informers = new InformerSet({ client, clock, random: () => 0.5, logger: silentLogger });
    kinds = new ServedKinds({ client, clock, informers });
    kinds.onGroupChanged((group) => groups.push(group));
  });
  afterEach(async () => {
    await kinds.stop();
    await cluster.stop();
  });

  function scripted(transport: Transport): Transport {
    return {
      ...transport,
      send: async (request) => {
        requests.push(`${request.method} ${request.path}`);
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
    assert.deepEqual(requests.splice(0), ['GET /api', 'GET /apis']);
  });

  test('that are unknown do not cause repeated discovery', async () => {
    await kinds.find(known.berth);
    requests.splice(0);
    await kinds.find(known.berth);
    assert.deepEqual(requests.splice(0), []);
    await clock.advance(5_000);
    await kinds.find(known.berth);
    assert.deepEqual(requests.splice(0), ['GET /api', 'GET /apis']);
  });

  test('appear with their definition, and disappear with it', async () => {
    assert.equal(await kinds.find(known.berth), undefined);
    await cluster.client.create(known.definition, berths);
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

  test('are all discovered again only after a definition changed', async () => {
    assert.ok((await kinds.all()).kinds.some(({ plural }) => plural === 'configmaps'));
    requests.splice(0);
    await kinds.all();
    assert.deepEqual(requests.splice(0), []);
    await cluster.client.create(known.definition, berths);
    await clock.advance(0);
    assert.ok((await kinds.all()).kinds.some(({ plural }) => plural === 'berths'));
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
