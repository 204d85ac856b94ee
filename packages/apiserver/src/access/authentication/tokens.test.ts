import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { decodeProtobuf } from '@flotilla/builtins';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { signedToken } from './json-web-token.ts';
import {
  accountsPath,
  issuer,
  made,
  reviewed,
  reviewsPath,
  serverWithAccount,
  testKey,
  tokenOf,
} from './tokens.testing.ts';
import { makeTokenKey, signingKey } from './token-keys.ts';

const bob = 'system:serviceaccount:default:bob';
const forged = '[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]';

function claimsOf(token: string): JsonObject {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JsonObject;
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function withHeader(token: string, header: JsonObject, signature = token.split('.')[2] ?? ''): string {
  return `${encoded(header)}.${token.split('.')[1]}.${signature}`;
}

describe('a token of a service account', () => {
  let server: TestServer;
  let token: string;
  before(async () => {
    server = await serverWithAccount();
    token = await tokenOf(server);
  });

  test('has claims for account, audience and lifetime, and authenticates', async () => {
    const { iss, sub, aud, exp, iat, nbf, jti, ...own } = claimsOf(token);
    assert.deepEqual([iss, sub, aud], [issuer, bob, [issuer]]);
    assert.deepEqual([Number(exp) - Number(iat), nbf], [3600, iat]);
    assert.match(jti as string, /^[0-9a-f-]{36}$/);
    assert.deepEqual(Object.keys(own), ['kubernetes.io']);
    const user = await server.api.authenticate('none', `Bearer ${token}`);
    assert.equal(user?.name, bob);
    assert.deepEqual(user.groups, ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated']);
    assert.deepEqual(user.extra, { 'authentication.kubernetes.io/credential-id': [`JTI=${jti as string}`] });
  });

  test('is authenticated from a cache the second time', async () => {
    const first = await server.api.authenticate('none', `Bearer ${token}`);
    assert.equal(await server.api.authenticate('none', `bearer ${token}`), first);
  });

  test('is refused if it is forged, cut, or signed with another key', async () => {
    const [header = '', , signature = ''] = token.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const hmac = createHmac('sha256', testKey).update('x').digest('base64url');
    const other = signingKey(makeTokenKey());
    const cases: [name: string, token: string, sentence: string][] = [
      ['no algorithm', withHeader(token, { alg: 'none' }, ''), forged],
      ['no algorithm, with a signature', withHeader(token, { alg: 'none', kid }), forged],
      ['a secret as the key', withHeader(token, { alg: 'HS256', kid }, hmac), forged],
      ['an algorithm of another key', withHeader(token, { alg: 'RS256', kid }), forged],
      ['extensions', withHeader(token, { alg: 'ES256', kid, crit: ['b64'] }), forged],
      ['a cut signature', token.slice(0, -7), forged],
      ['a longer signature', `${token}AAAA`, forged],
      ['no signature', token.slice(0, -signature.length), forged],
      [
        'another signer',
        signedToken(claimsOf(token), other),
        '[invalid bearer token, invalid signature, no keys found]',
      ],
      ['another signer with our key id', signedToken(claimsOf(token), { ...other, id: kid }), forged],
      [
        'another issuer',
        signedToken({ ...claimsOf(token), iss: 'https://evil' }, signingKey(testKey)),
        'invalid bearer token',
      ],
      ['two parts', token.slice(0, token.lastIndexOf('.')), 'invalid bearer token'],
      ['four parts', `${token}.x`, 'invalid bearer token'],
      ['no base64', `${token}*`, 'invalid bearer token'],
      ['claims that are a list', signedToken([] as unknown as JsonObject, signingKey(testKey)), 'invalid bearer token'],
    ];
    for (const [name, bad, sentence] of cases) {
      assert.equal(await reviewed(server, bad), sentence, name);
      assert.equal(await server.api.authenticate('none', `Bearer ${bad}`), undefined, name);
    }
    assert.equal(await reviewed(server, token), bob);
  });

  test('with other claims is checked against them', async () => {
    const key = signingKey(testKey);
    const iat = Number(claimsOf(token)['iat']);
    const hour = 3600;
    const sentence = (claims: JsonObject): Promise<string> =>
      reviewed(server, signedToken({ ...claimsOf(token), ...claims }, key));
    assert.equal(await sentence({ exp: iat - 61 }), '[invalid bearer token, service account token has expired]');
    assert.equal(await sentence({ exp: iat - 59 }), bob);
    assert.equal(await sentence({ nbf: iat + hour }), '[invalid bearer token, service account token is not valid yet]');
    const future = '[invalid bearer token, service account token is issued in the future]';
    assert.equal(await sentence({ iat: iat + hour }), future);
    assert.match(await sentence({ 'kubernetes.io': null }), /serviceaccounts "" not found/);
    assert.match(await sentence({ 'kubernetes.io': 'x', exp: 'never' }), /serviceaccounts "" not found/);
  });

  test('is valid only for its audiences', async () => {
    const theirs = await tokenOf(server, { audiences: ['them', 'us'] });
    const wrong = `[invalid bearer token, token audiences ["them" "us"] is invalid for the target audiences ["${issuer}"]]`;
    assert.equal(await reviewed(server, theirs), wrong);
    assert.equal(await server.api.authenticate('none', `Bearer ${theirs}`), undefined);
    assert.equal(await reviewed(server, theirs, ['us']), bob);
    assert.equal(
      await reviewed(server, token, ['x', 'y']),
      `[invalid bearer token, token audiences ["${issuer}"] is invalid for the target audiences ["x" "y"]]`,
    );
    assert.equal(await reviewed(server, 'given', ['x']), 'invalid bearer token');
  });

  test('is refused after its expiry', async () => {
    const own = await serverWithAccount();
    const short = await tokenOf(own, { expirationSeconds: 600 });
    await own.clock.advance(659_000);
    assert.equal(await reviewed(own, short), bob);
    await own.clock.advance(2_000);
    assert.equal(await reviewed(own, short), '[invalid bearer token, service account token has expired]');
  });

  test('is refused after its account is deleted, even if one of that name is created again', async () => {
    const own = await serverWithAccount();
    const kept = await tokenOf(own);
    assert.equal(await reviewed(own, kept), bob);
    await own.request('DELETE', `${accountsPath}/bob`);
    assert.equal(await reviewed(own, kept), '[invalid bearer token, serviceaccounts "bob" not found]');
    await made(own, accountsPath, { metadata: { name: 'bob' } });
    assert.match(await reviewed(own, kept), /service account UID \(.+\) does not match claim \(.+\)\]$/);
    assert.equal(await own.api.authenticate('none', `Bearer ${kept}`), undefined);
  });

  test('is refused after the object that it is bound to is deleted', async () => {
    const own = await serverWithAccount();
    await made(own, '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
    const bound = await tokenOf(own, { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's' } });
    assert.equal(await reviewed(own, bound), bob);
    await own.request('DELETE', '/api/v1/namespaces/default/secrets/s');
    assert.equal(await reviewed(own, bound), '[invalid bearer token, service account token has been invalidated]');
    await made(own, '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
    assert.match(
      await reviewed(own, bound),
      /secret UID \(.+\) does not match service account secret ref claim \(.+\)\]$/,
    );
  });

  test('of a pod names the pod and its node', async () => {
    const own = await serverWithAccount();
    const uid = await made(own, '/api/v1/namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: { serviceAccountName: 'bob', nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
    });
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p', uid };
    const bound = await tokenOf(own, { boundObjectRef, expirationSeconds: 3607 });
    const { exp, iat, 'kubernetes.io': kubernetes } = claimsOf(bound);
    // Programs that read such a token only once get a year.
    assert.equal(Number(exp) - Number(iat), 365 * 24 * 3600);
    assert.equal((kubernetes as JsonObject)['warnafter'], Number(iat) + 3607);
    const user = await own.api.authenticate('none', `Bearer ${bound}`);
    assert.deepEqual(user?.extra?.['authentication.kubernetes.io/pod-name'], ['p']);
    assert.deepEqual(user.extra['authentication.kubernetes.io/pod-uid'], [uid]);
    assert.deepEqual(user.extra['authentication.kubernetes.io/node-name'], ['n1']);
    await own.request('DELETE', '/api/v1/namespaces/default/pods/p?gracePeriodSeconds=0');
    assert.equal(await own.api.authenticate('none', `Bearer ${bound}`), undefined);
  });
});

describe('a request for a token', () => {
  let server: TestServer;
  before(async () => {
    server = await serverWithAccount();
    await made(server, '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
  });

  const refusals: [name: string, body: JsonObject, code: number, message: RegExp][] = [
    [
      'for too short a time',
      { spec: { expirationSeconds: 5 } },
      422,
      /^TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes$/,
    ],
    [
      'for too long a time',
      { spec: { expirationSeconds: 5e9 } },
      422,
      /Invalid value: 5000000000: may not specify a duration larger than 2\^32 seconds$/,
    ],
    [
      'of another account',
      { metadata: { name: 'x' } },
      422,
      /"bob" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified$/,
    ],
    [
      'of another namespace',
      { metadata: { namespace: 'x' } },
      400,
      /^the namespace of the provided object does not match/,
    ],
    [
      'of an account with another UID',
      { metadata: { uid: 'x' } },
      409,
      /^Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "bob": the UID in the token request \(x\) does not match the UID of the service account \(.+\)$/,
    ],
    [
      'bound to a missing pod',
      { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'n' } } },
      404,
      /^pods "n" not found$/,
    ],
    [
      'bound to a deployment',
      { spec: { boundObjectRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'n' } } },
      400,
      /^cannot bind token to object of type apps\/v1, Kind=Deployment$/,
    ],
    [
      'bound to a secret with another UID',
      { spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's', uid: 'z' } } },
      409,
      /^Operation cannot be fulfilled on Secret "s": the UID in the bound object reference \(z\) does not match the UID in record. The object might have been deleted and then recreated$/,
    ],
  ];
  for (const [name, body, code, message] of refusals) {
    test(`${name} is refused`, async () => {
      const answer = await server.request('POST', `${accountsPath}/bob/token`, { body });
      assert.equal(answer.status, code);
      assert.match(answer.body['message'] as string, message);
    });
  }

  test('of a missing account, or by another method, is refused', async () => {
    const missing = await server.request('POST', `${accountsPath}/nobody/token`, { body: {} });
    assert.deepEqual([missing.status, missing.body['message']], [404, 'serviceaccounts "nobody" not found']);
    assert.equal((await server.request('GET', `${accountsPath}/bob/token`)).status, 405);
  });

  test('is answered with the defaults that the server set', async () => {
    const { status, body } = await server.request('POST', `${accountsPath}/bob/token`, { body: {}, agent: 'curl/8' });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body), ['kind', 'apiVersion', 'metadata', 'spec', 'status']);
    assert.deepEqual(body['spec'], { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null });
    const metadata = body['metadata'] as JsonObject;
    assert.deepEqual(Object.keys(metadata), ['name', 'namespace', 'uid', 'creationTimestamp', 'managedFields']);
    assert.equal((body['status'] as JsonObject)['expirationTimestamp'], '2026-01-01T01:00:00Z');
  });

  test('may be answered in protobuf', async () => {
    const answer = await server.send('POST', `${accountsPath}/bob/token`, {
      body: {},
      accept: 'application/vnd.kubernetes.protobuf',
    });
    assert.equal(answer.status, 201);
    const { kind, object } = decodeProtobuf(answer.body as Uint8Array);
    assert.equal(kind, 'TokenRequest');
    assert.match((object['status'] as { token: string }).token, /^ey/);
  });
});

describe('a review of a token', () => {
  test('returns its user', async () => {
    const server = await serverWithAccount();
    const { status, body } = await server.request('POST', reviewsPath, { body: { spec: { token: 'given' } } });
    assert.equal(status, 201);
    assert.deepEqual(body['status'], {
      authenticated: true,
      user: { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] },
      audiences: [issuer],
    });
  });

  test('must have a token', async () => {
    const server = await serverWithAccount();
    const { status, body } = await server.request('POST', reviewsPath, { body: {} });
    assert.deepEqual([status, body['message']], [400, 'token is required for TokenReview in authentication']);
  });

  test('of the caller returns the caller', async () => {
    const server = await serverWithAccount();
    const user = { name: 'joe', uid: '7', groups: ['g'], extra: { b: ['2'], a: ['1'] } };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const all = { name: 'joe', groups: ['system:masters'] };
    assert.equal((await server.request('POST', path, { body: {}, user: { ...all } })).status, 201);
    const { body } = await server.request('POST', path, {
      body: {},
      user: { ...user, groups: ['g', 'system:authenticated'] },
    });
    assert.deepEqual(body['status'], {
      userInfo: { username: 'joe', uid: '7', groups: ['g', 'system:authenticated'], extra: { a: ['1'], b: ['2'] } },
    });
    assert.deepEqual(body['metadata'], { creationTimestamp: '2026-01-01T00:00:00Z' });
  });
});

test('a token is refused if the key of the server is invalid', async () => {
  const broken = await startTestServer({ serviceAccountTokens: { issuers: [issuer], signingKey: 'no key' } });
  const token = await tokenOf(await serverWithAccount());
  assert.equal(await broken.api.authenticate('none', `Bearer ${token}`), undefined);
});
