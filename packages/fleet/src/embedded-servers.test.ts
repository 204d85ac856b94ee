import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, type Client } from '@flotilla/client';
import { administrator, configMaps, namespaces, serviceAccounts, type Kind } from '@flotilla/kube';
import { configMap } from '@flotilla/testkit';
import type { EmbeddedServer } from './embedded-servers.ts';
import { kubeconfigText, type Kubeconfig } from './kubeconfig.ts';
import { startServer, type RunningServer } from './start-server.ts';

const install = {
  install: async (client: Client): Promise<void> => {
    await client.apply(configMaps, configMap('installed'), { fieldManager: 'test' });
  },
};

async function namesOf(client: Client, kind: Kind): Promise<(string | undefined)[]> {
  const { items } = await client.list(kind, kind.namespaced ? { namespace: 'default' } : {});
  return items.map(({ metadata }) => metadata.name);
}

describe('embedded servers', () => {
  let folder: string;
  let host: RunningServer;
  let oslo: EmbeddedServer;
  let rome: EmbeddedServer;
  const clients: Client[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'flotilla-embedded-'));
    host = await startServer();
    [oslo, rome] = await Promise.all([host.embed('oslo', install), host.embed('rome', install)]);
  });
  after(async () => {
    for (const client of clients) await client.close();
    await oslo.stop();
    await rome.stop();
    await host.stop();
    await rm(folder, { recursive: true });
  });

  /** A client over a socket. */
  async function connectTo(access: Kubeconfig): Promise<Client> {
    const kubeconfig = join(folder, `${clients.length}.kubeconfig`);
    await writeFile(kubeconfig, kubeconfigText(access));
    const client = await connect({ kubeconfig, environment: {} });
    clients.push(client);
    return client;
  }

  test('start with the same objects and then change independently', async () => {
    const [first, second] = [oslo.clientAs(administrator), rome.clientAs(administrator)];
    await first.create(configMaps, configMap('mine'));
    assert.deepEqual(await namesOf(first, configMaps), ['installed', 'kube-root-ca.crt', 'mine']);
    assert.deepEqual(await namesOf(second, configMaps), ['installed', 'kube-root-ca.crt']);
    assert.deepEqual(await namesOf(second, serviceAccounts), ['default']);
    const hub = await host.clientAs(administrator);
    assert.deepEqual(await namesOf(hub, configMaps), ['kube-root-ca.crt']);
  });

  test('run no controllers until an object changes, and then see the change', async () => {
    const bonn = await host.embed('bonn', install);
    const client = bonn.clientAs(administrator);
    assert.deepEqual(await namesOf(client, serviceAccounts), ['default']);
    assert.doesNotMatch(bonn.metrics().text(), /workqueue/);
    assert.equal(bonn.isAtRest(), true);
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'port' } });
    assert.equal(bonn.isAtRest(), false);
    const watching = AbortSignal.timeout(10_000);
    for await (const { object } of client.watch(serviceAccounts, { resourceVersion: '0', signal: watching })) {
      if (object.metadata.namespace === 'port') break;
    }
    assert.match(bonn.metrics().text(), /workqueue/);
    await bonn.stop();
  });

  test('stop before and while their controllers start', async () => {
    const [early, late] = await Promise.all([host.embed('early', install), host.embed('late', install)]);
    await early.stop();
    await late.clientAs(administrator).create(configMaps, configMap('mine'));
    await late.stop();
    assert.deepEqual([early.isAtRest(), late.isAtRest()], [true, true]);
  });

  test('have different uids of kube-system, by which tools tell clusters apart', async () => {
    const clients = [oslo.clientAs(administrator), rome.clientAs(administrator), await host.clientAs(administrator)];
    const found = await Promise.all(clients.map((client) => client.get(namespaces, { name: 'kube-system' })));
    assert.equal(new Set(found.map(({ metadata }) => metadata.uid)).size, 3);
    const { items } = await clients[0]!.list(namespaces, { fieldSelector: 'status.phase=Active' });
    const [listed] = items.filter(({ metadata }) => metadata.name === 'kube-system');
    assert.equal(listed?.metadata.uid, found[0]?.metadata.uid);
  });

  test('are served on the port of their host, each to its own administrator only', async () => {
    const remote = await connectTo(oslo.access);
    assert.ok(oslo.url.endsWith('/clusters/oslo'));
    assert.ok((await namesOf(remote, configMaps)).includes('installed'));
    for (const { url } of [host, rome]) {
      const cluster = { ...oslo.access.cluster, server: url };
      const stranger = await connectTo({ ...oslo.access, cluster });
      await assert.rejects(namesOf(stranger, configMaps), { code: 401 });
    }
    const cluster = { ...host.access.cluster, server: oslo.url };
    const hostsOwn = await connectTo({ ...host.access, cluster });
    await assert.rejects(namesOf(hostsOwn, configMaps), { code: 403 });
  });

  test('have service accounts and namespaces with uids of their own', async () => {
    const clients = [oslo.clientAs(administrator), rome.clientAs(administrator), await host.clientAs(administrator)];
    for (const kind of [serviceAccounts, namespaces]) {
      const lists = await Promise.all(clients.map((client) => client.list(kind)));
      const uids = lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.uid));
      assert.equal(new Set(uids).size, uids.length, kind.plural);
    }
  });

  test('sign tokens with keys of their own and publish only these', async () => {
    const clients = [oslo.clientAs(administrator), rome.clientAs(administrator), await host.clientAs(administrator)];
    const tokens = await Promise.all(clients.map(tokenOf));
    assert.equal(new Set(tokens.map(keyIdOf)).size, 3);
    const documents = await Promise.all(
      clients.map(async (client) => (await client.request({ method: 'GET', path: '/openid/v1/jwks' })).body),
    );
    for (const [index, document] of documents.entries()) {
      const { keys } = JSON.parse(Buffer.from(document).toString()) as { keys: { kid: string }[] };
      assert.deepEqual(
        keys.map(({ kid }) => kid),
        [keyIdOf(tokens[index]!)],
      );
    }
  });

  test('refuse service account tokens of one another, though the accounts are copies', async () => {
    const token = await tokenOf(oslo.clientAs(administrator));
    const listWithToken = async (access: Kubeconfig) =>
      (await connectTo({ ...access, user: { token } })).list(namespaces);
    await assert.rejects(listWithToken(oslo.access), { code: 403 });
    await assert.rejects(listWithToken(rome.access), { code: 401 });
    await assert.rejects(listWithToken(host.access), { code: 401 });
  });

  test('refuse names that are not valid in a path', async () => {
    for (const name of ['a/b', '..', 'Oslo', '']) await assert.rejects(host.embed(name, install), RangeError);
  });

  test('have housekeeping of their own', async () => {
    const client = oslo.clientAs(administrator);
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new' } });
    const deleted = watchFor(client, { type: 'DELETED', kind: namespaces, name: 'new' });
    const hasAccount = watchFor(client, { type: 'ADDED', kind: serviceAccounts, name: 'default', namespace: 'new' });
    await hasAccount;
    await client.delete(namespaces, { name: 'new' });
    await deleted;
  });

  test('refuse requests once stopped, and can start again under the same name', async () => {
    const bern = await host.embed('bern', install);
    await assert.rejects(host.embed('bern', install), /already/);
    const remote = await connectTo(bern.access);
    await remote.create(configMaps, configMap('kept'));
    await bern.stop();
    await assert.rejects(namesOf(remote, configMaps), { code: 401 });
    const again = await host.embed('bern', install);
    assert.ok((await namesOf(remote, configMaps)).includes('kept'));
    await again.stop();
  });

  test('that have run before serve at once, and get back what was deleted in their turn', async () => {
    const bonn = await host.embed('bonn', install);
    const client = bonn.clientAs(administrator);
    await client.delete(configMaps, { namespace: 'default', name: 'installed' });
    await bonn.halt();
    await bonn.restart();
    await watchFor(client, { type: 'ADDED', kind: configMaps, name: 'installed', namespace: 'default' });
    await client.delete(configMaps, { namespace: 'default', name: 'installed' });
    await bonn.halt();
    await bonn.restart();
    await bonn.stop();
  });

  test('that have run before compare their shape once, before they serve', async () => {
    const calls: string[] = [];
    const { promise: checked, resolve } = Promise.withResolvers<void>();
    const bari = await host.embed('bari', {
      template: 'shaped',
      install: async () => void calls.push('install'),
      installShape: async () => void calls.push('shape'),
      installRest: async () => {
        calls.push('rest');
        resolve();
      },
    });
    await bari.halt();
    await bari.restart();
    assert.deepEqual(calls, ['install', 'shape']);
    await checked;
    assert.deepEqual(calls, ['install', 'shape', 'rest']);
    await bari.stop();
  });
});

/** For the account `default/default`. */
async function tokenOf(client: Client): Promise<string> {
  const { status, body } = await client.request({
    method: 'POST',
    path: '/api/v1/namespaces/default/serviceaccounts/default/token',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  });
  assert.equal(status, 201);
  return (JSON.parse(Buffer.from(body).toString()) as { status: { token: string } }).status.token;
}

function keyIdOf(token: string): string {
  const [header = ''] = token.split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid;
}

interface Awaited {
  readonly type: 'ADDED' | 'DELETED';
  readonly kind: Kind;
  readonly name: string;
  readonly namespace?: string;
}

async function watchFor(client: Client, { type, kind, name, namespace }: Awaited): Promise<void> {
  const { signal } = new AbortController();
  const where = namespace === undefined ? {} : { namespace };
  for await (const event of client.watch(kind, { ...where, signal })) {
    if (event.type === type && event.object.metadata.name === name) return;
  }
}

test('embedded servers of a data directory have their objects and keys after a restart', async (context) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'flotilla-embedded-'));
  context.after(() => rm(dataDirectory, { recursive: true }));
  const tokens: unknown[] = [];
  const keys: string[] = [];
  for (const run of ['first', 'second']) {
    const host = await startServer({ dataDirectory });
    const oslo = await host.embed('oslo', install);
    const client = oslo.clientAs(administrator);
    await client.create(configMaps, configMap(run));
    tokens.push(oslo.access.user['token']);
    keys.push(keyIdOf(await tokenOf(client)));
    const expected = ['first', 'installed', 'kube-root-ca.crt', 'second'];
    if (run === 'second') assert.deepEqual(await namesOf(client, configMaps), expected);
    const rome = await host.embed(`rome-${run}`, install);
    assert.deepEqual(await namesOf(rome.clientAs(administrator), configMaps), ['installed', 'kube-root-ca.crt']);
    await Promise.all([oslo.stop(), rome.stop()]);
    await host.stop();
  }
  assert.equal(tokens[0], tokens[1]);
  assert.equal(keys[0], keys[1]);
});
