import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { User } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import type { Access, Authorizer } from '../authorizer.ts';
import { Impersonation } from './impersonation.ts';
import { impersonationLists } from './impersonated-user.ts';

const jane: User = { name: 'jane', groups: ['system:authenticated'] };
const listPods: Access = {
  isResource: true,
  user: jane,
  verb: 'list',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: '',
  name: '',
};

const everything: Authorizer = () => ({ isAllowed: true, reason: '' });

/** Raw headers: names and values, alternating. */
type Raw = readonly string[];

function requestWith(raw: Raw): Parameters<Impersonation['userOf']>[0] {
  const headers: Record<string, string> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    headers[name] = headers[name] === undefined ? (raw[at + 1] ?? '') : `${headers[name]}, ${raw[at + 1]}`;
  }
  return { headers, headerLists: impersonationLists(headers, raw) };
}

function impersonate(raw: Raw, authorize = everything, requestor = jane): User {
  return impersonateWith(new Impersonation(authorize), raw, requestor);
}

function impersonateWith(impersonation: Impersonation, raw: Raw, requestor = jane): User {
  return impersonation.userOf(requestWith(raw), requestor, () => ({ ...listPods, user: requestor }));
}

describe('Impersonate-* headers name a user', () => {
  const cases: [name: string, raw: Raw, user: User][] = [
    ['by name alone', ['Impersonate-User', 'joe'], { name: 'joe', groups: ['system:authenticated'] }],
    [
      'with groups, whose commas do not separate values',
      ['impersonate-user', 'joe', 'Impersonate-Group', 'a, b', 'IMPERSONATE-GROUP', 'c'],
      { name: 'joe', groups: ['a, b', 'c', 'system:authenticated'] },
    ],
    [
      'once: a second name is ignored',
      ['Impersonate-User', 'joe', 'Impersonate-User', 'system:admin'],
      { name: 'joe', groups: ['system:authenticated'] },
    ],
    [
      'with a uid and extra values',
      [
        'Impersonate-User',
        'joe',
        'Impersonate-Uid',
        '7',
        'Impersonate-Extra-A%2fB',
        '1',
        'impersonate-extra-a%2Fb',
        '2',
      ],
      { name: 'joe', uid: '7', groups: ['system:authenticated'], extra: { 'a/b': ['1', '2'] } },
    ],
    [
      'with keys that are no valid escapes, or that every object inherits',
      ['Impersonate-User', 'joe', 'Impersonate-Extra-%zz', '1', 'Impersonate-Extra-__proto__', '2'],
      {
        name: 'joe',
        groups: ['system:authenticated'],
        extra: Object.fromEntries([
          ['%zz', ['1']],
          ['__proto__', ['2']],
        ]),
      },
    ],
    [
      'that is a service account',
      ['Impersonate-User', 'system:serviceaccount:ns:bob'],
      {
        name: 'system:serviceaccount:ns:bob',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
      },
    ],
    [
      'that is anonymous',
      ['Impersonate-User', 'system:anonymous'],
      { name: 'system:anonymous', groups: ['system:unauthenticated'] },
    ],
    [
      'that is in the group of unauthenticated users',
      ['Impersonate-User', 'joe', 'Impersonate-Group', 'system:unauthenticated'],
      { name: 'joe', groups: ['system:unauthenticated'] },
    ],
    [
      'that is a node',
      ['Impersonate-User', 'system:node:n1'],
      { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] },
    ],
    ['not by underscores, which are another header', ['Impersonate_User', 'joe'], jane],
    ['not by an empty name', ['Impersonate-User', ''], jane],
  ];
  for (const [name, raw, user] of cases) {
    test(name, () => assert.deepEqual(impersonate(raw), user));
  }

  test('and are refused without a name', () => {
    assert.throws(() => impersonate(['Impersonate-Group', 'a']), {
      message:
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, Extra:map[string][]string(nil)} without impersonating a user name',
    });
    assert.throws(
      () => impersonate(['Impersonate-Uid', 'a', 'Impersonate-Extra-Foo', 'v2', 'Impersonate-Extra-Fo%2fO', 'v1']),
      {
        message:
          'requested &user.DefaultInfo{Name:"", UID:"a", Groups:[]string(nil), Extra:map[string][]string{"fo/o":[]string{"v1"}, "foo":[]string{"v2"}}} without impersonating a user name',
      },
    );
  });
});

describe('impersonation must be allowed', () => {
  /** Allows only these: `verb resource.group[/subresource] [namespace/]name`. */
  const only = (...allowed: string[]): { authorize: Authorizer; asked: string[] } => {
    const asked: string[] = [];
    const authorize: Authorizer = (access) => {
      const sentence = sentenceOf(access);
      asked.push(sentence);
      return { isAllowed: allowed.includes(sentence), reason: '' };
    };
    return { authorize, asked };
  };
  const sentenceOf = (access: Access): string => {
    if (!access.isResource) return `${access.verb} ${access.path}`;
    const { verb, resource, group, subresource, namespace, name } = access;
    return `${verb} ${resource}.${group}${subresource && `/${subresource}`} ${namespace && `${namespace}/`}${name}`.trim();
  };

  test('or is refused with the verb that is missing', () => {
    const { authorize } = only();
    assert.throws(() => impersonate(['Impersonate-User', 'joe'], authorize), {
      message:
        'pods is forbidden: User "jane" cannot impersonate-on:user-info:list resource "pods" in API group "" at the cluster scope',
    });
    assert.throws(() => impersonate(['Impersonate-User', 'system:serviceaccount:ns:bob'], authorize), {
      message: /cannot impersonate-on:serviceaccount:list resource "pods"/,
    });
    assert.throws(() => impersonate(['Impersonate-User', 'system:node:n1'], authorize), {
      message: /cannot impersonate-on:arbitrary-node:list resource "pods"/,
    });
    const account = ['Impersonate-User', 'system:serviceaccount:ns:bob', 'Impersonate-Group', 'g'];
    assert.throws(() => impersonate(account, authorize), {
      message:
        'serviceaccounts "bob" is forbidden: User "jane" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns"',
    });
  });

  const all = [
    'Impersonate-User',
    'joe',
    'Impersonate-Group',
    'g',
    'Impersonate-Uid',
    '7',
    'Impersonate-Extra-Scopes',
    's',
  ];
  const rights = [
    'impersonate users. joe',
    'impersonate uids.authentication.k8s.io 7',
    'impersonate groups. g',
    'impersonate userextras.authentication.k8s.io/scopes s',
  ];

  test('attribute by attribute', () => {
    assert.equal(impersonate(all, only(...rights).authorize).name, 'joe');
    for (const missing of rights) {
      assert.throws(
        () => impersonate(all, only(...rights.filter((right) => right !== missing)).authorize),
        /is forbidden/,
        missing,
      );
    }
  });

  test('or as constrained impersonation, for certain requests and attributes', () => {
    const narrow = only('impersonate-on:user-info:list pods.', 'impersonate:user-info users.authentication.k8s.io joe');
    assert.equal(impersonate(['Impersonate-User', 'joe'], narrow.authorize).name, 'joe');
    assert.throws(
      () => impersonate(['Impersonate-User', 'joe', 'Impersonate-Group', 'system:masters'], narrow.authorize),
      {
        message: /impersonating the system:masters group is not allowed$/,
      },
    );
    const keyless = ['Impersonate-User', 'joe', 'Impersonate-Extra-', 'x'];
    assert.throws(
      () => impersonate(keyless, narrow.authorize),
      /impersonating the empty string key in extra is not allowed/,
    );
  });

  test('and may cover only the node of the caller', () => {
    const agent: User = {
      name: 'system:serviceaccount:kube-system:agent',
      groups: [],
      extra: { 'authentication.kubernetes.io/node-name': ['n1'] },
    };
    const { authorize } = only(
      'impersonate-on:associated-node:list pods.',
      'impersonate:associated-node nodes.authentication.k8s.io *',
    );
    assert.equal(impersonate(['Impersonate-User', 'system:node:n1'], authorize, agent).name, 'system:node:n1');
    assert.throws(() => impersonate(['Impersonate-User', 'system:node:n2'], authorize, agent), /is forbidden/);
  });

  test('and many groups may be allowed at once', () => {
    const groups = ['a', 'b', 'c', 'd'].flatMap((group) => ['Impersonate-Group', group]);
    const { authorize, asked } = only(
      'impersonate-on:user-info:list pods.',
      'impersonate:user-info users.authentication.k8s.io joe',
      'impersonate:user-info groups.authentication.k8s.io *',
    );
    assert.equal(impersonate(['Impersonate-User', 'joe', ...groups], authorize).groups.length, 5);
    assert.equal(asked.length, 3);
  });
});

test('a request is answered as if the impersonated user had sent it', async () => {
  const server = await startTestServer();
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const headers = { 'impersonate-user': 'joe', 'impersonate-group': 'a, b' };
  const { body } = await server.request('POST', path, { body: {}, headers });
  assert.deepEqual(body['status'], { userInfo: { username: 'joe', groups: ['a, b', 'system:authenticated'] } });
  const pods = await server.request('GET', '/api/v1/pods', { headers });
  assert.deepEqual(
    [pods.status, pods.body['message']],
    [403, 'pods is forbidden: User "joe" cannot list resource "pods" in API group "" at the cluster scope'],
  );
  const unauthenticated = await server.request('GET', '/api/v1/pods', { headers, user: undefined });
  assert.equal(unauthenticated.status, 401);
});

test('after a legacy impersonation, a refusal is that of legacy impersonation', () => {
  const mayBeJoe: Authorizer = (access) => ({
    isAllowed: access.verb === 'impersonate' && access.isResource && access.name === 'joe',
    reason: '',
  });
  const impersonation = new Impersonation(mayBeJoe);
  const asMaster = ['Impersonate-User', 'joe', 'Impersonate-Group', 'system:masters'];
  const onList = /pods is forbidden: User "jane" cannot impersonate-on:user-info:list resource "pods"/;
  assert.throws(() => impersonateWith(impersonation, asMaster), onList);
  assert.equal(impersonateWith(impersonation, ['Impersonate-User', 'joe']).name, 'joe');
  const onGroup = /groups "system:masters" is forbidden: User "jane" cannot impersonate resource "groups"/;
  assert.throws(() => impersonateWith(impersonation, asMaster), onGroup);
  assert.throws(() => impersonateWith(impersonation, asMaster, { name: 'otto', groups: [] }), /impersonate-on/);
});

test('requests as the same user have one user object, by which caches know the user', () => {
  const impersonation = new Impersonation(everything);
  const as = (...groups: readonly string[]): User =>
    impersonateWith(impersonation, [
      'Impersonate-User',
      'bob',
      ...groups.flatMap((name) => ['Impersonate-Group', name]),
    ]);
  assert.equal(as('a', 'b'), as('a', 'b'));
  assert.notEqual(as('a'), as('b'));
  assert.notEqual(as(), as('a'));
});
