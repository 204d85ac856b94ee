import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import type { TestServer } from '@flotilla/testkit';
import { signedToken } from './json-web-token.ts';
import { accountsPath, made, reviewed, serverWithAccount, testKey } from './tokens.testing.ts';
import { signingKey } from './token-keys.ts';

const secretPath = '/api/v1/namespaces/default/secrets/s';
const bob = 'system:serviceaccount:default:bob';

/** Creates a Secret with a token of the account. */
async function secretToken(server: TestServer): Promise<string> {
  const { body } = await server.request('GET', `${accountsPath}/bob`);
  const { uid } = body['metadata'] as { uid: string };
  const token = server.api.signSecretToken({
    namespace: 'default',
    account: { name: 'bob', uid },
    secret: { name: 's' },
  });
  await made(server, '/api/v1/namespaces/default/secrets', {
    metadata: {
      name: 's',
      annotations: { 'kubernetes.io/service-account.name': 'bob', 'kubernetes.io/service-account.uid': uid },
    },
    type: 'kubernetes.io/service-account-token',
    data: { token: Buffer.from(token).toString('base64') },
  });
  return token;
}

test('a token in a Secret is valid until the Secret is deleted', async () => {
  const server = await serverWithAccount();
  const token = await secretToken(server);
  assert.equal(await reviewed(server, token), bob);
  await server.clock.advance(10 * 365 * 24 * 3_600_000);
  assert.equal(await reviewed(server, token), bob);
  await server.request('DELETE', secretPath);
  assert.equal(await reviewed(server, token), '[invalid bearer token, Token has been invalidated]');
});

test('the Secret must have the same token', async () => {
  const server = await serverWithAccount();
  const token = await secretToken(server);
  assert.equal(await reviewed(server, token), bob);
  const body = { data: { token: Buffer.from('another').toString('base64') } };
  const patched = await server.request('PATCH', secretPath, { body, type: 'application/merge-patch+json' });
  assert.equal(patched.status, 200);
  assert.equal(await reviewed(server, token), "[invalid bearer token, Token does not match server's copy]");
});

test('a token marked invalid or of a deleted account is refused', async () => {
  const server = await serverWithAccount();
  const token = await secretToken(server);
  const body = { metadata: { labels: { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' } } };
  await server.request('PATCH', secretPath, { body, type: 'application/merge-patch+json' });
  assert.match(
    await reviewed(server, token),
    /the token in secret default\/s for service account default\/bob has been marked invalid. Use tokens/,
  );
  await server.request('DELETE', `${accountsPath}/bob`);
  assert.equal(await reviewed(server, token), '[invalid bearer token, serviceaccounts "bob" not found]');
  await made(server, accountsPath, { metadata: { name: 'bob' } });
  assert.match(await reviewed(server, token), /ServiceAccount UID \(.+\) does not match claim/);
});

test('every claim is required', async () => {
  const server = await serverWithAccount();
  const own = 'kubernetes.io/serviceaccount';
  const claims: JsonObject = { iss: 'kubernetes/serviceaccount' };
  const next = (more: JsonObject): Promise<string> => {
    Object.assign(claims, more);
    return reviewed(server, signedToken(claims, signingKey(testKey)));
  };
  assert.match(await next({}), /sub claim is missing/);
  assert.match(await next({ sub: bob }), /namespace claim is missing/);
  assert.match(await next({ [`${own}/namespace`]: 'default' }), /secretName claim is missing/);
  assert.match(await next({ [`${own}/secret.name`]: 's' }), /serviceAccountName claim is missing/);
  assert.match(await next({ [`${own}/service-account.name`]: 'eve' }), /serviceAccountUID claim is missing/);
  assert.match(await next({ [`${own}/service-account.uid`]: 'u' }), /sub claim is invalid/);
  assert.match(await next({ [`${own}/service-account.name`]: 'bob' }), /Token has been invalidated/);
});

test('the day of last use is a label of the Secret', async () => {
  const server = await serverWithAccount();
  const token = await secretToken(server);
  const { revision } = server.store;
  await server.api.authenticate('none', `Bearer ${token}`);
  await server.api.authenticate('none', `Bearer ${token}`);
  await server.store.waitFor(revision + 1, AbortSignal.timeout(10_000));
  const { body } = await server.request('GET', secretPath);
  const { labels } = body['metadata'] as JsonObject;
  assert.deepEqual(labels, { 'kubernetes.io/legacy-token-last-used': '2026-01-01' });
  await server.api.authenticate('none', `Bearer ${token}`);
  assert.equal(server.store.revision, revision + 1);
});
