import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConnectionError } from '@flotilla/client';
import { configMaps, customResourceDefinitions } from '@flotilla/kube';
import { configMap, startTestServer, type TestServer } from '@flotilla/testkit';
import {
  boatDefinition,
  boats,
  ofConfigMap,
  ofNamespace,
  placement,
  SelectionsFixture,
  shown,
  withoutViews,
} from './selections.testing.ts';

describe('a selection', () => {
  let server: TestServer;
  let fixture: SelectionsFixture;
  /** Requests to paths that begin so fail. */
  let broken: string | undefined;
  /** Discovery knows the group of boats, but not its kinds: its server does not answer. */
  let isStale: boolean;

  beforeEach(async () => {
    broken = undefined;
    isStale = false;
    server = await startTestServer();
    await server.client.create(customResourceDefinitions, boatDefinition);
    const client = withoutViews(server, (transport) => ({
      ...transport,
      send: async (request) => {
        if (isStale && request.path === '/apis') return { status: 200, headers: aggregated, body: piece(staleGroups) };
        if (broken !== undefined && request.path.startsWith(broken))
          throw new ConnectionError('no answer', 'unreachable');
        return transport.send(request);
      },
    }));
    fixture = new SelectionsFixture(server, client);
    await fixture.settle();
    await fixture.namespace('shop');
    await server.client.create(configMaps, configMap('a', {}, { namespace: 'shop' }));
    await server.create(boats, { metadata: { name: 'one', namespace: 'shop' } });
  });
  afterEach(() => fixture.stop());

  const whole = placement([{ ...ofNamespace, name: 'shop' }]);
  const placed = {
    ...whole,
    status: { selectedResources: [{ group: boats.group, version: 'v1', kind: 'Boat', name: 'one' }] },
  };

  async function current(of: typeof whole): Promise<string> {
    fixture.selections.current(of);
    await fixture.settle();
    // Until the next look at informers that failed.
    await server.clock.advance(5_000);
    await fixture.settle();
    return String(shown(fixture.selections.current(of)));
  }

  test('goes on without a kind that cannot be read, and takes it up when it can', async () => {
    broken = '/apis/sea.example.com/v1/boats';
    assert.equal(await current(whole), 'Namespace/shop,ConfigMap/a');
    broken = undefined;
    await server.clock.advance(60_000);
    assert.equal(await current(whole), 'Namespace/shop,ConfigMap/a,Boat/one');
  });

  test('waits for a kind that cannot be read if it has placed objects of it', async () => {
    broken = '/apis/sea.example.com/v1/boats';
    assert.equal(await current(placed), 'pending: informer of sea.example.com/v1/boats is not synced yet');
    broken = undefined;
    await server.clock.advance(60_000);
    assert.equal(await current(placed), 'Namespace/shop,ConfigMap/a,Boat/one');
  });

  test('keeps what it has while a kind cannot be read any more', async () => {
    assert.equal(await current(whole), 'Namespace/shop,ConfigMap/a,Boat/one');
    broken = '/apis/sea.example.com';
    await server.clock.advance(600_000);
    assert.equal(await current(whole), 'Namespace/shop,ConfigMap/a,Boat/one');
  });

  test('waits for a group whose server does not answer if it has placed objects of it', async () => {
    isStale = true;
    assert.equal(await current(placed), 'pending: discovery of sea.example.com fails');
    fixture.selections.forget({ name: 'app' });
    assert.equal(await current(whole), 'Namespace/shop,ConfigMap/a');
    isStale = false;
    await server.clock.advance(30_000);
    assert.equal(await current(whole), 'Namespace/shop,ConfigMap/a,Boat/one');
  });

  test('waits while discovery fails', async () => {
    broken = '/api';
    const byName = placement([{ ...ofConfigMap, name: 'a' }], 'shop');
    assert.match(await current(byName), /^pending: no answer/);
    broken = undefined;
    await server.clock.advance(60_000);
    assert.equal(await current(byName), 'ConfigMap/a');
  });
});

const aggregated = { 'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

const staleGroups = {
  items: [{ metadata: { name: boats.group }, versions: [{ version: 'v1', resources: [], freshness: 'Stale' }] }],
};

async function* piece(body: object): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(JSON.stringify(body)));
}
