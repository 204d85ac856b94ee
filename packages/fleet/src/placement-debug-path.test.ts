import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { managedClusters, managedClusterSetBindings, managedClusterSets, ocmPlacements } from '@flotilla/api';
import type { Client, Transport } from '@flotilla/client';
import {
  administrator,
  apiVersionOf,
  BytesBody,
  namespaces,
  type JsonObject,
  type Kind,
  type User,
} from '@flotilla/kube';
import { PlacementDebugPath } from './placement-debug-path.ts';
import { startHub, type RunningHub } from './start-hub.ts';

const stranger: User = { name: 'ann', groups: ['system:authenticated'] };

describe('the debug endpoint for Placements', () => {
  let hub: RunningHub;
  let client: Client;
  const create = (kind: Kind, metadata: JsonObject, parts: JsonObject = {}) =>
    client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...parts });

  before(async () => {
    hub = await startHub({ memory: true, port: 0, settings: { controllers: ['ocm-placement'] } });
    client = await hub.client();
    await create(namespaces, { name: 'shop' });
    const all = { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } };
    await create(managedClusterSets, { name: 'all' }, { spec: all });
    await create(managedClusterSetBindings, { namespace: 'shop', name: 'all' }, { spec: { clusterSet: 'all' } });
    const taints = [{ key: 'old', effect: 'NoSelect' }];
    for (const [name, region] of [
      ['bern', 'eu'],
      ['lima', 'sa'],
      ['oslo', 'eu'],
    ] as const) {
      const spec = { hubAcceptsClient: true, ...(name === 'oslo' && { taints }) };
      await create(managedClusters, { name, labels: { region } }, { spec });
    }
    const predicates = [{ requiredClusterSelector: { labelSelector: { matchLabels: { region: 'eu' } } } }];
    await create(ocmPlacements, { namespace: 'shop', name: 'web' }, { spec: { predicates } });
    const decided = new AbortController();
    for await (const { object } of client.watch(ocmPlacements, { resourceVersion: '0', signal: decided.signal })) {
      if (object.status?.numberOfSelectedClusters === 1) decided.abort();
    }
  });
  after(async () => {
    await client.close();
    await hub.stop();
  });

  async function call(
    method: string,
    path: string,
    { body, user = administrator }: { body?: string; user?: User } = {},
  ) {
    const found: Transport[] = [];
    const caller = await hub.server.clientAs(user, 'test', (transport) => (found.push(transport), transport));
    const bytes = body === undefined ? {} : { body: new BytesBody(new TextEncoder().encode(body)) };
    const response = await found[0]?.send({ method, path, query: '', headers: {}, ...bytes });
    if (response === undefined) assert.fail('there is no transport');
    const text = Buffer.concat(await Array.fromAsync(response.body)).toString();
    await caller.close();
    return { status: response.status, body: JSON.parse(text) as JsonObject };
  }

  test('shows what each filter left, all scores, and what keeps clusters out', async () => {
    const { status, body } = await call('GET', '/debug/placements/shop/web');
    assert.equal(status, 200);
    assert.deepEqual(body['filteredPipelineResults'], [
      { name: 'Predicate', filteredClusters: ['bern', 'oslo'] },
      { name: 'Predicate,TaintToleration', filteredClusters: ['bern'] },
    ]);
    assert.equal((body['aggregatedScores'] as JsonObject[])[0]?.['clusterName'], 'bern');
    const rejected = body['rejectedClusters'] as JsonObject[];
    assert.deepEqual(
      rejected.map(({ clusterName, plugin }) => [clusterName, plugin]),
      [
        ['lima', 'Predicate'],
        ['oslo', 'TaintToleration'],
      ],
    );
  });

  test('explains a Placement that is not stored, with defaults', async () => {
    const placement = {
      metadata: { namespace: 'shop', name: 'try' },
      spec: { prioritizerPolicy: { configurations: [{ scoreCoordinate: { builtIn: 'Steady' } }] } },
    };
    const { status, body } = await call('POST', '/debug/placements/', { body: JSON.stringify(placement) });
    assert.equal(status, 200);
    const names = (body['prioritizeResults'] as JsonObject[]).map(({ name }) => name);
    assert.deepEqual(names, ['Balance', 'Steady']);
    assert.equal((await client.list(ocmPlacements, { namespace: 'shop' })).items.length, 1);
  });

  for (const [claim, method, path, body, status] of [
    ['another method', 'PUT', '/debug/placements/shop/web', '', 405],
    ['a path without a name', 'GET', '/debug/placements/shop', '', 400],
    ['a Placement that does not exist', 'GET', '/debug/placements/shop/none', '', 404],
    ['a body that is not JSON', 'POST', '/debug/placements/', '{', 400],
    ['a body that is no object', 'POST', '/debug/placements/', '[]', 400],
    [
      'an invalid Placement',
      'POST',
      '/debug/placements/',
      '{"metadata":{"namespace":"shop"},"spec":{"sortBy":"Luck"}}',
      422,
    ],
  ] as const) {
    test(`answers ${status} to ${claim}`, async () => {
      const answer = await call(method, path, { body });
      assert.deepEqual([answer.status, typeof answer.body['error']], [status, 'string']);
    });
  }

  test('is closed to users without a right to the path', async () => {
    assert.equal((await call('GET', '/debug/placements/shop/web', { user: stranger })).status, 403);
  });

  test('answers 503 before the controllers run', async () => {
    const request = { method: 'GET', path: '/debug/placements/a/b', query: '', headers: {}, user: administrator };
    const { status } = await new PlacementDebugPath().handle({
      ...request,
      body: async () => new Uint8Array(),
      signal: new AbortController().signal,
    });
    assert.equal(status, 503);
  });
});
