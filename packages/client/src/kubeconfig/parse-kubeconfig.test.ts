import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseKubeconfig } from './parse-kubeconfig.ts';

describe('a kubeconfig', () => {
  test('is parsed with all its fields', () => {
    const { clusters, users } = parseKubeconfig(
      `
apiVersion: v1
kind: Config
preferences: {}
clusters:
- name: far
  cluster:
    server: https://far:6443/clusters/one
    tls-server-name: kubernetes
    certificate-authority-data: ${Buffer.from('PEM').toString('base64')}
    proxy-url: socks5://proxy
    disable-compression: true
    extensions:
    - name: client.authentication.k8s.io/exec
      extension: { audience: far }
users:
- name: me
  user:
    token: secret
    as: jane
    as-groups: [a, b]
    as-user-extra: { team: [x] }
- name: plugged
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: login
      args: [now]
      env: [{ name: MODE, value: quiet }]
      interactiveMode: Never
      provideClusterInfo: true
`,
      '/config',
    );
    assert.deepEqual(clusters.get('far'), {
      server: 'https://far:6443/clusters/one',
      serverName: 'kubernetes',
      skipsVerification: false,
      disablesCompression: true,
      authority: { text: 'PEM' },
      proxy: 'socks5://proxy',
      execConfig: { audience: 'far' },
    });
    assert.deepEqual(users.get('me'), {
      token: 'secret',
      impersonate: { user: 'jane', groups: ['a', 'b'], extra: { team: ['x'] } },
    });
    assert.deepEqual(users.get('plugged')?.exec, {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'login',
      args: ['now'],
      env: [{ name: 'MODE', value: 'quiet' }],
      providesClusterInfo: true,
      installHint: '',
    });
  });

  test('may be empty', () => {
    for (const text of ['', '{}', 'clusters: null']) assert.equal(parseKubeconfig(text, '/config').clusters.size, 0);
  });

  test('reads JSON, and YAML that begins as JSON does', () => {
    for (const text of ['{"current-context": "sea"}', '{current-context: sea}']) {
      assert.equal(parseKubeconfig(text, '/config').currentContext, 'sea');
    }
  });

  const mistakes: Record<string, string> = {
    'clusters: 7': '/config.clusters must be a list',
    'a: [': '/config cannot be read: yaml: line 1: did not find expected node content',
    'kind: Pod': '/config is a Pod, not a kubeconfig',
    'clusters: [{ cluster: {} }]': '/config.clusters[0].name is missing',
    'clusters: [{ name: a }]': '/config.clusters[0].cluster is missing',
    'users: [{ name: a, user: {} }, { name: a, user: {} }]': '/config.users has two entries named "a"',
    'clusters: [{ name: a, cluster: { server: 7 } }]': '/config.clusters[0].cluster.server must be text',
    'users: [{ name: a, user: { client-key-data: "%" } }]': '/config.users[0].user.client-key-data is not base64',
    'users: [{ name: a, user: { client-key-data: "", client-key: 1 } }]':
      '/config.users[0].user.client-key must be text',
    'users: [{ name: a, user: { client-key: k, client-key-data: aaaa } }]':
      '/config.users[0].user.client-key and client-key-data are both given; leave one',
    'users: [{ name: a, user: { as-uid: "7" } }]':
      '/config.users[0].user.as is missing: a uid, groups or extra fields require a user',
    'users: [{ name: a, user: { auth-provider: { name: gcp } } }]':
      '/config.users[0].user.auth-provider is no longer supported; use an exec plugin',
    'users: [{ name: a, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: c } } }]':
      '/config.users[0].user.exec.interactiveMode is missing',
    'users: [{ name: a, user: { exec: { apiVersion: client.authentication.k8s.io/v1alpha1, command: c } } }]':
      '/config.users[0].user.exec.apiVersion must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1',
    'users: [{ name: a, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: c, interactiveMode: Always } } }]':
      '/config.users[0].user.exec.interactiveMode cannot be Always: there is no terminal',
  };
  for (const [text, message] of Object.entries(mistakes)) {
    test(`is refused: ${message}`, () => {
      assert.throws(() => parseKubeconfig(text, '/config'), { name: 'KubeconfigError', message });
    });
  }

  test('may have entries named __proto__ or constructor', () => {
    const { users } = parseKubeconfig('users: [{ name: __proto__, user: { token: t } }]', '/config');
    assert.equal(users.get('__proto__')?.token, 't');
  });
});
