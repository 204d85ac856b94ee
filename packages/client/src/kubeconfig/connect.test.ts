import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { findAccess } from './connect.ts';

describe('access to a server', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'flotilla-access-'));
    await writeFile(
      join(directory, 'config'),
      `
current-context: near
contexts:
- { name: near, context: { cluster: near, user: me, namespace: shop } }
- { name: far, context: { cluster: far, user: me } }
- { name: lost, context: { cluster: gone, user: nobody, namespace: No_Name } }
- { name: odd, context: { cluster: odd, user: odd } }
clusters:
- { name: near, cluster: { server: 'https://10.1.2.3:6443' } }
- { name: far, cluster: { server: 'https://far.example.com', proxy-url: 'http://proxy:3128' } }
- { name: odd, cluster: { server: 'ftp://x', proxy-url: 'gopher://x' } }
users:
- { name: me, user: { token: t, as: jane } }
- { name: odd, user: { token: t, username: u, client-certificate-data: aaaa } }
`,
    );
  });
  after(() => rm(directory, { recursive: true }));

  const access = (context?: string, environment = {}) =>
    findAccess({ kubeconfig: join(directory, 'config'), environment, ...(context !== undefined && { context }) });

  test('uses the current context or the given one', async () => {
    const near = await access();
    assert.deepEqual([near.transport.server, near.namespace, near.context], ['https://10.1.2.3:6443', 'shop', 'near']);
    assert.equal(near.impersonate?.user, 'jane');
    const far = await access('far');
    assert.deepEqual([far.transport.proxy, far.namespace], ['http://proxy:3128', 'default']);
    assert.equal((await far.transport.credentials?.current())?.authorization, 'Bearer t');
  });

  test('uses the proxy of the environment if the kubeconfig has none', async () => {
    assert.equal((await access('near', { HTTPS_PROXY: 'outer:8080' })).transport.proxy, 'http://outer:8080');
    assert.equal((await access('far', { HTTPS_PROXY: 'outer:8080' })).transport.proxy, 'http://proxy:3128');
    const excepted = { https_proxy: 'http://outer', no_proxy: '.internal, 10.0.0.0/8' };
    assert.equal((await access('near', excepted)).transport.proxy, undefined);
  });

  test('fails with every problem of the context at once', async () => {
    await assert.rejects(access('none'), { message: 'the kubeconfig has no context "none"' });
    await assert.rejects(access('lost'), {
      name: 'KubeconfigError',
      message:
        'the context "lost" cannot be used: there is no cluster "gone"; there is no user "nobody"; "No_Name" is not a valid namespace name',
    });
    await assert.rejects(access('odd'), {
      message:
        'the context "odd" cannot be used: the server "ftp://x" is not an https or http URL; the proxy-url "gopher://x" is neither http, https nor socks5; ' +
        'the user "odd" has a certificate without a key; the user "odd" has both a token and a password',
    });
  });

  test('is read from the service account files in a pod', async () => {
    await writeFile(join(directory, 'token'), 'pod-token\n');
    await writeFile(join(directory, 'ca.crt'), 'PEM');
    await writeFile(join(directory, 'namespace'), 'home\n');
    const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const pod = await findAccess({ environment, serviceAccountDirectory: directory });
    assert.deepEqual([pod.transport.server, pod.namespace], ['https://[fd00::1]:443', 'home']);
    assert.deepEqual(await pod.transport.credentials?.current(), {
      authority: 'PEM',
      authorization: 'Bearer pod-token',
    });
    await assert.rejects(findAccess({ environment, serviceAccountDirectory: join(directory, 'none') }), {
      message: /this pod has no service account token/,
    });
  });

  test('fails without a kubeconfig outside a pod', async () => {
    await assert.rejects(findAccess({ environment: {} }), {
      name: 'KubeconfigError',
      message: /found no kubeconfig/,
    });
  });
});
