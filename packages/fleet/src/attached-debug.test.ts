import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { definitions, ocmGroup, ocmPlacements } from '@flotilla/api';
import {
  administrator,
  clusterRoleBindings,
  clusterRoles,
  rbacGroup,
  type JsonObject,
  type User,
} from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { LoopTurns } from '@flotilla/timing';
import { clientByToken } from './attached-debug.ts';
import { PlacementDebugPath } from './placement-debug-path.ts';

const path = '/debug/placements/default/web';
const toPath = { nonResourceURLs: ['/debug/placements/*'], verbs: ['get', 'post'] };
const toPlacements = { apiGroups: [ocmGroup], resources: ['placements'], verbs: ['get', 'create'] };

describe('the debug endpoint of a hub on another Kubernetes', () => {
  let server: TestServer;
  const debugPath = new PlacementDebugPath();
  const users: Record<string, User> = { admin: administrator, ...named('ann'), ...named('bob'), ...named('eve') };

  before(async () => {
    const placements = (await definitions()).filter(({ spec: { group, names } }) => {
      return group === ocmGroup && names.kind === ocmPlacements.kind;
    });
    server = await startTestServer({ definitions: placements });
    await server.create(ocmPlacements, { metadata: { namespace: 'default', name: 'web' }, spec: {} });
    await grant('ann', [toPath]);
    await grant('bob', [toPlacements]);
    await grant('eve', [toPath, toPlacements]);
    debugPath.open({
      debug: { explain: ({ metadata }) => ({ placement: { name: metadata.name ?? '' } }) },
      clientOf: clientByToken((token) => server.connect({ user: users[token] ?? { name: '', groups: [] } })),
      turns: new LoopTurns(),
    });
  });
  after(() => server.stop());

  function named(name: string): Record<string, User> {
    return { [name]: { name, groups: ['system:authenticated'] } };
  }

  async function grant(name: string, rules: object[]): Promise<void> {
    await server.create(clusterRoles, { metadata: { name }, rules });
    const subjects = [{ kind: 'User', apiGroup: rbacGroup, name }];
    const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name };
    await server.create(clusterRoleBindings, { metadata: { name }, subjects, roleRef });
  }

  async function ask(authorization: string | undefined, { method = 'GET', body = '' } = {}) {
    const response = await debugPath.handle({
      method,
      path: method === 'GET' ? path : '/debug/placements/',
      query: '',
      headers: { authorization },
      user: undefined,
      body: async () => new TextEncoder().encode(body),
      signal: new AbortController().signal,
    });
    assert.ok(response.body instanceof Uint8Array);
    return { status: response.status, body: JSON.parse(new TextDecoder().decode(response.body)) as JsonObject };
  }

  for (const [claim, authorization, status] of [
    ['no token', undefined, 401],
    ['another kind of credentials', 'Basic YTpi', 401],
    ['a token that could break the header', 'Bearer a b', 401],
    ['a right to the path only', 'Bearer ann', 403],
    ['a right to Placements only', 'Bearer bob', 403],
    ['both rights', 'Bearer eve', 200],
    ['all rights', 'bearer admin', 200],
  ] as const) {
    test(`answers ${status} to a caller with ${claim}`, async () => {
      const answer = await ask(authorization);
      assert.equal(answer.status, status);
      if (status === 200) assert.deepEqual(answer.body, { placement: { name: 'web' } });
    });
  }

  test('explains a posted Placement to a caller that may create it, and stores nothing', async () => {
    const body = JSON.stringify({ metadata: { namespace: 'default', name: 'try' }, spec: {} });
    assert.equal((await ask('Bearer ann', { method: 'POST', body })).status, 403);
    assert.deepEqual((await ask('Bearer eve', { method: 'POST', body })).body, { placement: { name: 'try' } });
    assert.equal((await server.client.list(ocmPlacements)).items.length, 1);
  });
});
