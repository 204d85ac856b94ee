import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadKubeconfig } from './load-kubeconfig.ts';

describe('kubeconfig files', () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'flotilla-kubeconfig-'));
    await mkdir(join(home, '.kube'));
  });
  after(() => rm(home, { recursive: true }));

  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(home, name), text);
    return join(home, name);
  };

  test('default to ~/.kube/config', async () => {
    assert.equal(await loadKubeconfig(undefined, { HOME: home }), undefined);
    await file('.kube/config', 'current-context: at-home');
    assert.equal((await loadKubeconfig(undefined, { HOME: home }))?.currentContext, 'at-home');
  });

  test('are merged, and the first definition wins', async () => {
    const one = await file(
      'one',
      `
contexts: [{ name: a, context: { cluster: c1, user: u1, namespace: first } }]
clusters: [{ name: c1, cluster: { server: https://one } }]
`,
    );
    const two = await file(
      'two',
      `
current-context: b
contexts:
- { name: a, context: { cluster: c2, user: u2 } }
- { name: b, context: { cluster: c2, user: u2 } }
clusters: [{ name: c1, cluster: { server: https://other } }, { name: c2, cluster: { server: https://two } }]
users: [{ name: u2, user: { token: t } }]
`,
    );
    const kubeconfigPaths = [one, join(home, 'missing'), two].join(delimiter);
    const merged = await loadKubeconfig(undefined, { KUBECONFIG: kubeconfigPaths, HOME: home });
    assert.equal(merged?.currentContext, 'b');
    assert.deepEqual(merged?.contexts.get('a'), { cluster: 'c1', user: 'u1', namespace: 'first' });
    assert.equal(merged?.clusters.get('c1')?.server, 'https://one');
    assert.deepEqual([...(merged?.users.keys() ?? [])], ['u2']);
  });

  test('must exist if they are given explicitly', async () => {
    await assert.rejects(loadKubeconfig(join(home, 'missing'), {}), {
      name: 'KubeconfigError',
      message: `${join(home, 'missing')} does not exist`,
    });
  });

  test('resolve paths relative to their directory', async () => {
    const path = await file(
      '.kube/relative',
      `
clusters: [{ name: c, cluster: { server: https://c, certificate-authority: ca.crt } }]
users:
- name: u
  user:
    client-certificate: ../client.crt
    client-key: /keys/client.key
    tokenFile: token
- name: bare
  user: { exec: { apiVersion: client.authentication.k8s.io/v1beta1, command: aws } }
- name: near
  user: { exec: { apiVersion: client.authentication.k8s.io/v1beta1, command: ./bin/login } }
`,
    );
    const read = await loadKubeconfig(path, {});
    assert.deepEqual(read?.clusters.get('c')?.authority, { file: join(home, '.kube/ca.crt') });
    const { certificate, key, tokenFile } = read?.users.get('u') ?? {};
    assert.deepEqual(certificate, { file: join(home, 'client.crt') });
    assert.deepEqual(key, { file: '/keys/client.key' });
    assert.equal(tokenFile, join(home, '.kube/token'));
    assert.equal(read?.users.get('bare')?.exec?.command, 'aws');
    assert.equal(read?.users.get('near')?.exec?.command, join(home, '.kube/bin/login'));
  });
});
