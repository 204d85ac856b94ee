import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { reviewed } from '../tokens.testing.ts';
import { readAuthenticationConfiguration } from './authentication-configuration.ts';
import { LoopbackIssuer } from './loopback-issuer.testing.ts';

interface Running {
  readonly server: TestServer;
  readonly issuer: LoopbackIssuer;
  /** A token that is valid for an hour. */
  readonly tokenOf: (claims?: JsonObject, header?: JsonObject) => string;
}

function configurationOf(issuer: LoopbackIssuer, more = '', user = '{claim: sub, prefix: "oidc:"}'): string {
  return `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: "${issuer.url}", audiences: [fleet], certificateAuthority: ${JSON.stringify(issuer.authority)}}
  claimMappings: {username: ${user}, groups: {claim: groups, prefix: "g:"}}
${more}`;
}

/** The content of the file, which was `first` when the server started. */
type Reread = (first: string) => string;

const started: LoopbackIssuer[] = [];
after(() => Promise.all(started.map((issuer) => issuer.stop())));

async function run(more?: string, user?: string, reread?: Reread): Promise<Running> {
  const issuer = await LoopbackIssuer.start();
  started.push(issuer);
  return { issuer, ...(await serverOf(issuer, configurationOf(issuer, more, user), reread)) };
}

async function serverOf(issuer: LoopbackIssuer, content: string, reread?: Reread): Promise<Omit<Running, 'issuer'>> {
  const server = await startTestServer({
    authentication: {
      configuration: readAuthenticationConfiguration(content),
      content,
      ...(reread && { reread: () => Promise.resolve(reread(content)) }),
    },
    getDocument: issuer.get,
  });
  await issuer.settled();
  const expires = (): number => server.clock.now() / 1000 + 3600;
  const tokenOf = (claims: JsonObject = {}, header: JsonObject = {}): string =>
    issuer.token({ sub: 'ann', aud: ['fleet'], exp: expires(), ...claims }, header);
  return { server, tokenOf };
}

const refused = (why: string): string => `[invalid bearer token, oidc: ${why}]`;
const unsigned = refused('verify token: failed to verify signature: failed to verify id token signature');

describe('a token of a configured issuer', () => {
  let running: Running;
  before(async () => {
    running = await run();
  });

  test('authenticates the user and the groups of its claims', async () => {
    const { server, tokenOf } = running;
    const user = await server.api.authenticate('none', `Bearer ${tokenOf({ groups: ['a', 'b'], jti: 'x' })}`);
    assert.deepEqual(user, {
      name: 'oidc:ann',
      groups: ['g:a', 'g:b', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=x'] },
    });
  });

  test('is authenticated without a promise, and from a cache, once the keys are known', async () => {
    const { server, tokenOf, issuer } = running;
    const token = tokenOf();
    await server.api.authenticate('none', `Bearer ${token}`);
    const asked = issuer.asked.length;
    const first = server.api.authenticate('none', `Bearer ${token}`);
    assert.equal(first instanceof Promise, false);
    assert.equal(server.api.authenticate('none', `Bearer ${token}`), first);
    assert.equal(issuer.asked.length, asked);
  });

  const cases: readonly [name: string, claims: JsonObject, header: JsonObject, expected: string | RegExp][] = [
    [
      'of another audience',
      { aud: 'other' },
      {},
      refused('verify token: oidc: expected audience "fleet" got ["other"]'),
    ],
    [
      'that has expired',
      { exp: 1 },
      {},
      refused('verify token: oidc: token is expired (Token Expiry: 1970-01-01 00:00:01 +0000 UTC)'),
    ],
    ['that never expires', { exp: 'never' }, {}, /token is expired/],
    ['that is not valid yet', { nbf: 9e9 }, {}, /before the nbf \(not before\) time: 2255-03-14 /],
    [
      'without a name',
      { sub: 1 },
      {},
      refused('parse username claims "sub": json: cannot unmarshal number into Go value of type string'),
    ],
    [
      'with groups that are no texts',
      { groups: [1] },
      {},
      /^\[invalid bearer token, oidc: parse groups claim "groups": json: /,
    ],
    ['without a signature', {}, { alg: 'none' }, /unsupported algorithm, expected \["ES256" .* got "none"/],
    ['of a shared secret', {}, { alg: 'HS256' }, /unsupported algorithm/],
    ['of another algorithm', {}, { alg: 'RS256' }, unsigned],
    ['with extensions', {}, { crit: ['b64'] }, unsigned],
    ['of an unknown key', {}, { kid: 'other' }, unsigned],
    ['of an unknown issuer', { iss: 'https://127.0.0.1:1' }, {}, 'invalid bearer token'],
    ['with a polluting claim', { __proto__: 1, sub: 'eve' }, {}, 'oidc:eve'],
  ];
  for (const [name, claims, header, expected] of cases) {
    test(`${name} gets its sentence`, async () => {
      const { server, tokenOf } = running;
      const result = await reviewed(server, tokenOf(claims, header));
      if (typeof expected === 'string') assert.equal(result, expected);
      else assert.match(result, expected);
    });
  }

  test('whose bytes were changed is refused', async () => {
    const { server, tokenOf } = running;
    const [header = '', , signature = ''] = tokenOf().split('.');
    const [, claims = ''] = tokenOf({ sub: 'root' }).split('.');
    assert.equal(await reviewed(server, `${header}.${claims}.${signature}`), unsigned);
  });
});

describe('expressions', () => {
  test('map claims, check claims and check users', async () => {
    const more = `
  claimValidationRules:
  - {claim: tenant, requiredValue: north}
  - {expression: "claims.exp - claims.iat <= 7200.0", message: too long}
  userValidationRules: [{expression: "!user.username.startsWith('system:')", message: reserved}]
`;
    const user = `{expression: "claims.a__dot__b + '@' + claims.realm.name"}`;
    const { server, tokenOf } = await run(more, user);
    const claims = { tenant: 'north', iat: server.clock.now() / 1000, 'a.b': 'ann', realm: { name: 'x' } };
    assert.equal(await reviewed(server, tokenOf(claims)), 'ann@x');
    assert.equal(
      await reviewed(server, tokenOf({ ...claims, tenant: 'south' })),
      refused('required claim tenant value does not match. Got = south, want = north'),
    );
    assert.equal(
      await reviewed(server, tokenOf({ ...claims, iat: 0 })),
      refused(
        "error evaluating claim validation expression: validation expression 'claims.exp - claims.iat <= 7200.0' failed: too long",
      ),
    );
    assert.equal(
      await reviewed(server, tokenOf({ ...claims, 'a.b': 'system:x' })),
      refused(
        "error evaluating user info validation rule: validation expression '!user.username.startsWith('system:')' failed: reserved",
      ),
    );
    assert.match(
      await reviewed(server, tokenOf({ ...claims, realm: {} })),
      /username claim expression: expression .* no such key: name/,
    );
  });
});

describe('an issuer', () => {
  test('that changes its keys is asked for them once, by a token of the new key', async () => {
    const { server, issuer, tokenOf } = await run();
    assert.equal(await reviewed(server, tokenOf()), 'oidc:ann');
    const old = tokenOf({ sub: 'old' });
    issuer.rotate('second');
    const asked = issuer.asked.length;
    const several = [tokenOf({ sub: '1' }), tokenOf({ sub: '2' }), tokenOf({ sub: '3' })];
    assert.deepEqual(await Promise.all(several.map((token) => reviewed(server, token))), [
      'oidc:1',
      'oidc:2',
      'oidc:3',
    ]);
    assert.equal(issuer.asked.length, asked + 1);
    assert.equal(await reviewed(server, old), unsigned);
  });

  test('whose keys may be cached is not asked again in that time', async () => {
    const { server, issuer, tokenOf } = await run();
    issuer.cacheControl = 'public, max-age=3600';
    assert.equal(await reviewed(server, tokenOf()), 'oidc:ann');
    issuer.rotate('second');
    assert.equal(await reviewed(server, tokenOf()), unsigned);
    await server.clock.advance(3_600_000);
    assert.equal(await reviewed(server, tokenOf()), 'oidc:ann');
  });

  test('is asked only so often by tokens of unknown keys', async () => {
    const { server, issuer, tokenOf } = await run();
    const asked = issuer.asked.length;
    for (let at = 0; at < 20; at++) await reviewed(server, tokenOf({}, { kid: `made-up-${at}` }));
    assert.equal(issuer.asked.length, asked + 10);
    await server.clock.advance(1000);
    assert.equal(await reviewed(server, tokenOf()), 'oidc:ann');
  });

  test('that vanishes leaves known keys valid, and refuses unknown ones', async () => {
    const { server, issuer, tokenOf } = await run();
    const token = tokenOf();
    assert.equal(await reviewed(server, token), 'oidc:ann');
    const fresh = tokenOf({ sub: 'bob' });
    const unknown = tokenOf({}, { kid: 'new' });
    await issuer.stop();
    assert.equal(await reviewed(server, token), 'oidc:ann');
    assert.equal(await reviewed(server, fresh), 'oidc:bob');
    assert.match(await reviewed(server, unknown), /fetching keys oidc: get keys failed Get .*ECONNREFUSED/);
  });

  test('that does not answer holds up its own tokens only, and for 30 seconds', async () => {
    const { server, issuer, tokenOf } = await run();
    issuer.answer = () => true;
    const pending = server.api.authenticate('none', `Bearer ${tokenOf()}`);
    assert.equal(pending instanceof Promise, true);
    assert.equal(server.api.authenticate('none', undefined) instanceof Promise, false);
    await server.clock.advance(30_000);
    assert.equal(await pending, undefined);
  });

  test('is found when it starts after the server', async () => {
    const issuer = await LoopbackIssuer.start();
    started.push(issuer);
    issuer.answer = (_path, response) => Boolean(response.writeHead(503).end());
    const { server, tokenOf } = await serverOf(issuer, configurationOf(issuer));
    assert.equal(await reviewed(server, tokenOf()), refused('authenticator not initialized'));
    issuer.answer = () => false;
    await server.clock.advance(10_000);
    await issuer.settled();
    assert.equal(await reviewed(server, tokenOf()), 'oidc:ann');
  });

  const lies: readonly [name: string, document: string, expected: RegExp][] = [
    ['another name', '{"issuer":"https://evil.example","jwks_uri":"https://127.0.0.1:1/keys"}', /not initialized/],
    ['no keys', '{"issuer":"URL"}', /not initialized/],
    ['keys without TLS', '{"issuer":"URL","jwks_uri":"http://127.0.0.1:1/keys"}', /not initialized/],
    ['a list', '[]', /not initialized/],
    ['garbage', '{"issuer', /not initialized/],
    ['endless data', `"${'x'.repeat(2 * 1024 * 1024)}"`, /not initialized/],
  ];
  for (const [name, document, expected] of lies) {
    test(`that presents ${name} is not believed`, async () => {
      const issuer = await LoopbackIssuer.start();
      started.push(issuer);
      issuer.answer = (_path, response) => Boolean(response.end(document.replace('URL', issuer.url)));
      const { server, tokenOf } = await serverOf(issuer, configurationOf(issuer));
      assert.match(await reviewed(server, tokenOf()), expected);
    });
  }

  const badKeys: readonly [name: string, document: string][] = [
    ['no list', '{"keys":{}}'],
    ['symmetric keys', '{"keys":[{"kty":"oct","k":"AAAA","kid":"first"}]}'],
    ['broken keys', '{"keys":[{"kty":"EC","crv":"P-256","x":"!","y":"","kid":"first"},7,null]}'],
    ['a thousand keys', `{"keys":[${Array.from({ length: 1000 }, () => '{}').join(',')}]}`],
  ];
  for (const [name, document] of badKeys) {
    test(`that publishes ${name} authenticates no token`, async () => {
      const { server, issuer, tokenOf } = await run();
      issuer.answer = (_path, response) => Boolean(response.end(document));
      assert.match(await reviewed(server, tokenOf()), /failed to verify signature: /);
    });
  }
});

describe('a changed configuration file', () => {
  test('counts when its issuers are found', async () => {
    let content: string | undefined;
    const { server, issuer, tokenOf } = await run('', undefined, (first) => content ?? first);
    assert.equal(await reviewed(server, tokenOf()), 'oidc:ann');
    content = configurationOf(issuer, '', '{claim: sub, prefix: "new:"}');
    await server.clock.advance(5000);
    await issuer.settled();
    assert.equal(await reviewed(server, tokenOf()), 'new:ann');
  });

  test('changes nothing if it is invalid, changes anonymous access, or names an issuer that is not there', async () => {
    let content: string | undefined;
    const { server, issuer, tokenOf } = await run('', undefined, (first) => content ?? first);
    const replaced = configurationOf(issuer, '', '{claim: sub, prefix: "new:"}');
    for (const bad of [
      'jwt: [',
      `${replaced}\nanonymous: {enabled: false}`,
      replaced.replaceAll(issuer.url, 'https://127.0.0.1:1'),
    ]) {
      content = bad;
      for (let round = 0; round < 8; round++) {
        await server.clock.advance(10_000);
        await issuer.settled();
      }
      assert.equal(await reviewed(server, tokenOf()), 'oidc:ann');
    }
  });
});

test('requests without credentials may be limited to some paths', async () => {
  const { server } = await run('anonymous: {enabled: true, conditions: [{path: /livez}]}');
  const nameAt = async (target: string): Promise<string | undefined> =>
    (await server.api.authenticate('none', undefined, target))?.name;
  assert.deepEqual([await nameAt('/livez?verbose'), await nameAt('/version')], ['system:anonymous', undefined]);
});

test('no issuer may be that of the service accounts', async () => {
  const url = 'https://kubernetes.default.svc.cluster.local';
  const issuer = await LoopbackIssuer.start();
  started.push(issuer);
  const content = configurationOf(issuer).replaceAll(issuer.url, url);
  const message = new RegExp(
    `^jwt\\[0\\].issuer.url: Invalid value: "${url}": URL must not overlap with disallowed issuers`,
  );
  await assert.rejects(serverOf(issuer, content), { name: 'ConfigurationError', message });
});
