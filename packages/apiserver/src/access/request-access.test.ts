import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { requestInfo } from '../request/request-info.ts';
import { forbiddenAccess } from './forbidden-access.ts';
import { requestAccess } from './request-access.ts';

function refusal(method: string, target: string, name = 'jane', reason = ''): string {
  const [path = '', query = ''] = target.split('?');
  const access = requestAccess({ method }, requestInfo(method, path, query), { name, groups: [] });
  return forbiddenAccess(access, reason).message;
}

const inX = 'resource "pods" in API group "" in the namespace "x"';

describe('a refusal names the user, the verb and the resource', () => {
  const sentences: readonly (readonly [request: string, sentence: string])[] = [
    ['GET /api/v1/namespaces/x/pods', `pods is forbidden: User "jane" cannot list ${inX}`],
    ['GET /api/v1/namespaces/x/pods/web', `pods "web" is forbidden: User "jane" cannot get ${inX}`],
    ['POST /api/v1/namespaces/x/pods', `pods is forbidden: User "jane" cannot create ${inX}`],
    ['PUT /api/v1/namespaces/x/pods/web', `pods "web" is forbidden: User "jane" cannot update ${inX}`],
    ['PATCH /api/v1/namespaces/x/pods/web', `pods "web" is forbidden: User "jane" cannot patch ${inX}`],
    ['DELETE /api/v1/namespaces/x/pods/web', `pods "web" is forbidden: User "jane" cannot delete ${inX}`],
    ['DELETE /api/v1/namespaces/x/pods', `pods is forbidden: User "jane" cannot deletecollection ${inX}`],
    ['HEAD /api/v1/namespaces/x/pods', `pods is forbidden: User "jane" cannot list ${inX}`],
    ['OPTIONS /api/v1/namespaces/x/pods/web', `pods "web" is forbidden: User "jane" cannot  ${inX}`],
    [
      'GET /api/v1/pods?watch=1',
      'pods is forbidden: User "jane" cannot watch resource "pods" in API group "" at the cluster scope',
    ],
    [
      'GET /api/v1/watch/pods',
      'pods is forbidden: User "jane" cannot watch resource "pods" in API group "" at the cluster scope',
    ],
    [
      'GET /apis/apps/v1/namespaces/x/deployments/web/scale',
      'deployments.apps "web" is forbidden: User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "x"',
    ],
    [
      'GET /apis/no.such/v1/things',
      'things.no.such is forbidden: User "jane" cannot list resource "things" in API group "no.such" at the cluster scope',
    ],
    ['GET /metrics', 'forbidden: User "jane" cannot get path "/metrics"'],
    ['POST /apis', 'forbidden: User "jane" cannot post path "/apis"'],
  ];
  for (const [request, sentence] of sentences) {
    test(request, () => {
      const [method = '', target = ''] = request.split(' ');
      assert.equal(refusal(method, target), sentence);
    });
  }

  test('has escaped markup, and the reason if there is one', () => {
    assert.equal(
      refusal('GET', '/x', '<b>&', 'RBAC: <nothing>'),
      'forbidden: User "&lt;b&gt;&amp;" cannot get path "/x": RBAC: <nothing>',
    );
  });
});

test('a namespace is authorized in itself, but the list of namespaces is not', () => {
  const get =
    'namespaces "x" is forbidden: User "jane" cannot get resource "namespaces" in API group "" in the namespace "x"';
  assert.equal(refusal('GET', '/api/v1/namespaces/x'), get);
  const list =
    'namespaces "x" is forbidden: User "jane" cannot list resource "namespaces" in API group "" at the cluster scope';
  assert.equal(refusal('GET', '/api/v1/namespaces?fieldSelector=metadata.name%3Dx'), list);
});

test('a list of one name is authorized for that object if its options are valid', () => {
  const nameIn = (query: string, method = 'GET') => {
    const info = requestInfo(method, '/api/v1/namespaces/x/pods', query);
    const access = requestAccess({ method }, info, { name: 'jane', groups: [] });
    return access.isResource && access.name;
  };
  assert.equal(nameIn('fieldSelector=metadata.name%3Dweb,spec.nodeName%3Da&watch=true'), 'web');
  for (const query of ['', '&limit=many', '&labelSelector=!!']) {
    const named = `fieldSelector=metadata.name%3Dweb${query}`;
    assert.equal(nameIn(named), query === '' ? 'web' : '', named);
  }
  for (const selector of ['metadata.name!%3Dweb', 'metadata.namespace%3Dweb', 'metadata.name%3D..', 'metadata.name']) {
    assert.equal(nameIn(`fieldSelector=${selector}`), '', selector);
  }
  assert.equal(nameIn('fieldSelector=metadata.name%3Dweb', 'DELETE'), '');
});
