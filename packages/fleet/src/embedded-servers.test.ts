import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, type Client } from '@flotilla/client';
import { administrator, configMaps, namespaces, serviceAccounts, type Kind, type KubeObject } from '@flotilla/kube';
import type { EmbeddedServer } from './embedded-servers.ts';
import { kubeconfigText, type Kubeconfig } from './kubeconfig.ts';
import { startServer, type RunningServer } from './start-server.ts';

const configMap = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});

const furnish = async (client: Client): Promise<void> => {
  await client.apply(configMaps, configMap('furniture'), { fieldManager: 'test' });
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
    [oslo, rome] = await Promise.all([host.embed('oslo', furnish), host.embed('rome', furnish)]);
  });
  after(async () => {
    for (const client of clients) await client.close();
    await oslo.stop();
    await rome.stop();
    await host.stop();
    await rm(folder, { recursive: true });
  });

  /** Over a socket, as anybody would. */
  async function over(access: Kubeconfig): Promise<Client> {
    const kubeconfig = join(folder, `${clients.length}.kubeconfig`);
    await writeFile(kubeconfig, kubeconfigText(access));
    const client = await connect({ kubeconfig, environment: {} });
    clients.push(client);
    return client;
  }

  test('are furnished alike and then go their own ways', async () => {
    const [first, second] = [oslo.clientAs(administrator), rome.clientAs(administrator)];
    await first.create(configMaps, configMap('mine'));
    assert.deepEqual(await namesOf(first, configMaps), ['furniture', 'kube-root-ca.crt', 'mine']);
    assert.deepEqual(await namesOf(second, configMaps), ['furniture', 'kube-root-ca.crt']);
    assert.deepEqual(await namesOf(second, serviceAccounts), ['default']);
    const hub = await host.clientAs(administrator);
    assert.deepEqual(await namesOf(hub, configMaps), ['kube-root-ca.crt']);
  });

  test('are clusters of their own to whoever tells clusters apart', async () => {
    const clients = [oslo.clientAs(administrator), rome.clientAs(administrator), await host.clientAs(administrator)];
    const found = await Promise.all(clients.map((client) => client.get(namespaces, { name: 'kube-system' })));
    assert.equal(new Set(found.map(({ metadata }) => metadata.uid)).size, 3);
    const { items } = await clients[0]!.list(namespaces, { fieldSelector: 'status.phase=Active' });
    const [listed] = items.filter(({ metadata }) => metadata.name === 'kube-system');
    assert.equal(listed?.metadata.uid, found[0]?.metadata.uid);
  });

  test('are reached over the socket of their host, each by its own administrator', async () => {
    const remote = await over(oslo.access);
    assert.ok(oslo.url.endsWith('/clusters/oslo'));
    assert.ok((await namesOf(remote, configMaps)).includes('furniture'));
    for (const { url } of [host, rome]) {
      const cluster = { ...oslo.access.cluster, server: url };
      const stranger = await over({ ...oslo.access, cluster });
      await assert.rejects(namesOf(stranger, configMaps), { code: 401 });
    }
    const cluster = { ...host.access.cluster, server: oslo.url };
    const hostsOwn = await over({ ...host.access, cluster });
    await assert.rejects(namesOf(hostsOwn, configMaps), { code: 403 });
  });

  test('have accounts and namespaces of their own', async () => {
    const clients = [oslo.clientAs(administrator), rome.clientAs(administrator), await host.clientAs(administrator)];
    for (const kind of [serviceAccounts, namespaces]) {
      const lists = await Promise.all(clients.map((client) => client.list(kind)));
      const uids = lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.uid));
      assert.equal(new Set(uids).size, uids.length, kind.plural);
    }
  });

  test('sign with keys of their own, which none of the others believes', async () => {
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

  test('do not believe in the accounts of one another, though these are copies', async () => {
    const token = await tokenOf(oslo.clientAs(administrator));
    const asked = async (access: Kubeconfig) => (await over({ ...access, user: { token } })).list(namespaces);
    await assert.rejects(asked(oslo.access), { code: 403 });
    await assert.rejects(asked(rome.access), { code: 401 });
    await assert.rejects(asked(host.access), { code: 401 });
  });

  test('have names that are good for a path', async () => {
    for (const name of ['a/b', '..', 'Oslo', '']) await assert.rejects(host.embed(name, furnish), RangeError);
  });

  test('have their houses kept', async () => {
    const client = oslo.clientAs(administrator);
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new' } });
    const isGone = watchFor(client, { type: 'DELETED', kind: namespaces, name: 'new' });
    const hasAccount = watchFor(client, { type: 'ADDED', kind: serviceAccounts, name: 'default', namespace: 'new' });
    await hasAccount;
    await client.delete(namespaces, { name: 'new' });
    await isGone;
  });

  test('are gone when they are stopped, and others of the name may come', async () => {
    const bern = await host.embed('bern', furnish);
    await assert.rejects(host.embed('bern', furnish), /already/);
    const remote = await over(bern.access);
    await remote.create(configMaps, configMap('kept'));
    await bern.stop();
    await assert.rejects(namesOf(remote, configMaps), { code: 401 });
    const again = await host.embed('bern', furnish);
    assert.ok((await namesOf(remote, configMaps)).includes('kept'));
    await again.stop();
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

test('embedded servers of a data directory are there after a restart, in one file', async (context) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'flotilla-embedded-'));
  context.after(() => rm(dataDirectory, { recursive: true }));
  const tokens: unknown[] = [];
  const keys: string[] = [];
  for (const visit of ['first', 'second']) {
    const host = await startServer({ dataDirectory });
    const oslo = await host.embed('oslo', furnish);
    const client = oslo.clientAs(administrator);
    await client.create(configMaps, configMap(visit));
    tokens.push(oslo.access.user['token']);
    keys.push(keyIdOf(await tokenOf(client)));
    const expected = ['first', 'furniture', 'kube-root-ca.crt', 'second'];
    if (visit === 'second') assert.deepEqual(await namesOf(client, configMaps), expected);
    const rome = await host.embed(`rome-${visit}`, furnish);
    assert.deepEqual(await namesOf(rome.clientAs(administrator), configMaps), ['furniture', 'kube-root-ca.crt']);
    await Promise.all([oslo.stop(), rome.stop()]);
    await host.stop();
  }
  assert.equal(tokens[0], tokens[1]);
  assert.equal(keys[0], keys[1]);
});
