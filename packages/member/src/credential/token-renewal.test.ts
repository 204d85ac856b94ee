import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { requestToken, type Transport } from '@flotilla/client';
import { clusterRoleBindings, rbacGroup, serviceAccounts, serviceAccountUser, silentLogger } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { tokenLifeOf } from './token-life.ts';
import { TokenRenewal } from './token-renewal.ts';

const hourMs = 3_600_000;
const account = { namespace: 'default', name: 'sea' };

describe('the agent’s token', () => {
  let server: TestServer;
  let renewal: TokenRenewal;
  /** What the agent's token file contains. */
  let file = '';
  let requests = 0;
  let isReachable = true;
  const warnings: unknown[] = [];

  beforeEach(async () => {
    server = await startTestServer();
    await server.create(serviceAccounts, { metadata: account });
    await allow();
    file = await newToken();
    [requests, isReachable] = [0, true];
    warnings.length = 0;
    const wrap = (transport: Transport): Transport => ({
      ...transport,
      send: async (request) => {
        requests++;
        if (!isReachable) throw new Error('unreachable');
        return transport.send(request);
      },
    });
    renewal = new TokenRenewal({
      hub: server.connect({ user: serviceAccountUser(account), wrap }),
      read: () => Promise.resolve(file),
      write: (token) => Promise.resolve(void (file = token)),
      clock: server.clock,
      random: () => 0.5,
      logger: { ...silentLogger, warn: (_message, fields) => void warnings.push(fields?.['error']) },
    });
    renewal.start();
  });
  afterEach(async () => {
    await renewal.stop();
    await server.stop();
  });

  /** Three hours: the tests advance the clock in hours. */
  async function newToken(): Promise<string> {
    return (await requestToken(server.client, account, 10_800)).token;
  }

  function allow(): Promise<unknown> {
    return server.create(clusterRoleBindings, {
      metadata: { name: 'renewal' },
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    });
  }

  function lifeHours(): number {
    const life = tokenLifeOf(file) ?? assert.fail('no token');
    return (life.expiresAt - life.issuedAt) / hourMs;
  }

  test('is replaced before it expires, again and again, by one with the same lifetime', async () => {
    const tokens = new Set<string>();
    for (let hours = 0; hours < 24; hours++) {
      await server.clock.advance(hourMs);
      tokens.add(file);
      const expiresAt = tokenLifeOf(file)?.expiresAt ?? 0;
      assert.ok(expiresAt > server.clock.now() + hourMs / 2, `after ${hours} hours`);
      assert.equal(lifeHours(), 3);
    }
    assert.ok(tokens.size >= 11 && requests === tokens.size - 1, `${requests} requests for ${tokens.size} tokens`);
  });

  test('is replaced after the hub was away', async () => {
    isReachable = false;
    await server.clock.advance(2.5 * hourMs);
    assert.ok(warnings.length > 3 && warnings.length < 20, `${warnings.length} warnings`);
    isReachable = true;
    await server.clock.advance(hourMs / 4);
    assert.ok((tokenLifeOf(file)?.expiresAt ?? 0) > server.clock.now() + 2 * hourMs);
  });

  test('stays if another program has replaced it', async () => {
    await server.clock.advance(hourMs);
    const replaced = (file = await newToken());
    await server.clock.advance(1.25 * hourMs);
    assert.equal(file, replaced);
    assert.equal(requests, 0);
  });

  test('is not replaced without the right to, and the log says why', async () => {
    const before = file;
    await server.client.delete(clusterRoleBindings, { name: 'renewal' });
    await server.clock.advance(2.5 * hourMs);
    assert.equal(file, before);
    assert.match(String(warnings[0]), /cannot create resource "serviceaccounts\/token"/);
    await allow();
    await server.clock.advance(hourMs / 4);
    assert.notEqual(file, before);
  });

  test('is left alone if it is no service account’s', async () => {
    file = 'a-static-token';
    await server.clock.advance(24 * hourMs);
    assert.deepEqual([file, requests, warnings], ['a-static-token', 0, []]);
  });
});
