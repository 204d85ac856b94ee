import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { configMaps } from '@flotilla/kube';
import { configMap, flushPromises, startTestServer, type TestServer } from '@flotilla/testkit';
import { HubLink } from './hub-link.ts';

describe('the link between an agent and its hub', () => {
  let server: TestServer;
  let link: HubLink;
  let client: Client;
  beforeEach(async () => {
    server = await startTestServer();
    link = new HubLink(server.clock);
    client = server.connect({ wrap: (transport) => link.through(transport) });
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });

  const cut = (): void => link.set({ isPartitioned: true, delayMs: 0 });
  const heal = (): void => link.set({ isPartitioned: false, delayMs: 0 });
  const slow = (delayMs: number): void => link.set({ isPartitioned: false, delayMs });

  /** The names of changed objects, in the order in which a view reports them. */
  function follow(): { readonly seen: string[]; readonly ended: Error[]; readonly stop: () => void } {
    const seen: string[] = [];
    const ended: Error[] = [];
    const stop = client.view?.(configMaps)?.follow(
      ({ key }) => seen.push(key.name),
      (error) => ended.push(error),
    );
    return { seen, ended, stop: stop ?? (() => assert.fail('no view')) };
  }

  test('that is cut fails requests, ends watches and views, and works again when it is healed', async () => {
    const signal = new AbortController().signal;
    const watched = Array.fromAsync(client.watch(configMaps, { resourceVersion: '0', signal }));
    const { ended } = follow();
    await flushPromises();
    cut();
    await assert.rejects(watched, { name: 'ConnectionError', reached: 'cut' });
    assert.deepEqual(
      ended.map(({ name }) => name),
      ['ConnectionError'],
    );
    await assert.rejects(client.list(configMaps), { name: 'ConnectionError', reached: 'unreachable' });
    assert.throws(() => client.view?.(configMaps), { name: 'ConnectionError' });
    heal();
    assert.deepEqual((await client.list(configMaps)).items, []);
    assert.equal(follow().ended.length, 0);
  });

  test('that is slow delays requests, and changes on their way to the agent, in order', async () => {
    const { seen } = follow();
    slow(300);
    const created = client.create(configMaps, configMap('first'));
    await server.clock.advance(299);
    assert.equal(await server.find(configMaps, { namespace: 'default', name: 'first' }), undefined);
    await server.clock.advance(1);
    await created;
    await server.client.create(configMaps, configMap('second'));
    heal();
    await server.client.create(configMaps, configMap('third'));
    await server.clock.advance(299);
    assert.deepEqual(seen, []);
    await server.clock.advance(1);
    assert.deepEqual(seen, ['first', 'second', 'third']);
  });

  test('that is cut loses changes on their way, and the end of a view stops their timer', async () => {
    slow(300);
    const first = follow();
    const second = follow();
    await server.client.create(configMaps, configMap('lost'));
    await flushPromises();
    assert.equal(server.clock.pending, 2);
    second.stop();
    cut();
    assert.equal(server.clock.pending, 0);
    assert.deepEqual([first.seen, second.seen], [[], []]);
  });

  test('whose client closes ends requests that wait', async () => {
    slow(60_000);
    const failed = assert.rejects(client.list(configMaps), { message: 'the client is closed' });
    await flushPromises();
    await client.close();
    await failed;
    assert.equal(server.clock.pending, 0);
  });
});
