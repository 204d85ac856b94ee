import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MetricsRegistry } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { SampledDurations } from './sampled-durations.ts';
import { readAuthenticationConfiguration } from './authentication/oidc/authentication-configuration.ts';
import { LoopbackIssuer } from './authentication/oidc/loopback-issuer.testing.ts';

const namespaces = '/api/v1/namespaces';

/** The samples of the metrics with this prefix, without buckets and sums. */
async function samples(server: TestServer, prefix: string): Promise<string[]> {
  const { text } = await server.request('GET', '/metrics');
  return text.split('\n').filter((line) => line.startsWith(prefix) && !/_(bucket|sum)\{/.test(line));
}

describe('metrics of authentication', () => {
  let server: TestServer;
  before(async () => {
    const staticTokens = ['admin', 'ann@example.com', 'ann'].map((name) => ({
      token: `of-${name}`,
      user: { name, groups: [] },
    }));
    server = await startTestServer({ staticTokens });
    for (const token of ['of-admin', 'of-admin', 'of-ann', 'of-ann@example.com', 'wrong']) {
      await server.api.authenticate('none', `Bearer ${token}`);
    }
    await server.api.authenticate('none', undefined);
    await server.api.authenticate({ name: 'kubelet', groups: [] }, undefined);
    await server.api.authenticate('refused', undefined);
    await server.api.authenticate('refused', 'Basic x');
  });

  test('show few names of users', async () => {
    assert.deepEqual(await samples(server, 'authenticated_user_requests'), [
      'authenticated_user_requests{username="admin"} 2',
      'authenticated_user_requests{username="email_id"} 1',
      'authenticated_user_requests{username="kubelet"} 1',
      'authenticated_user_requests{username="other"} 2',
    ]);
  });

  test('count and time every attempt by its result', async () => {
    assert.deepEqual(await samples(server, 'authentication_attempts'), [
      'authentication_attempts{result="error"} 3',
      'authentication_attempts{result="success"} 6',
    ]);
    assert.deepEqual(await samples(server, 'authentication_duration_seconds'), [
      'authentication_duration_seconds_count{result="error"} 3',
      'authentication_duration_seconds_count{result="success"} 6',
    ]);
  });

  test('count tokens that had to be verified', async () => {
    assert.deepEqual(await samples(server, 'authentication_token_cache'), [
      'authentication_token_cache_fetch_total{status="ok"} 1',
      'authentication_token_cache_request_duration_seconds_count{status="hit"} 4',
      'authentication_token_cache_request_duration_seconds_count{status="miss"} 1',
      'authentication_token_cache_request_total{status="hit"} 4',
      'authentication_token_cache_request_total{status="miss"} 1',
    ]);
  });

  test('call it a failure if a server without anonymous users gets no credentials', async () => {
    const strict = await startTestServer({ allowsAnonymous: false });
    await strict.api.authenticate('none', undefined);
    assert.deepEqual(await samples(strict, 'authentication_attempts'), ['authentication_attempts{result="failure"} 1']);
  });
});

describe('metrics of authorization', () => {
  test('count requests that are allowed, and those that no rule allows', async () => {
    const server = await startTestServer();
    const user = { name: 'ann', groups: ['system:authenticated'] };
    const names = ['authorization_attempts_total', 'authorization_duration_seconds', 'apiserver_authorization_'];
    const read = async (): Promise<Map<string, number>> => {
      const lines = (await Promise.all(names.map((name) => samples(server, name)))).flat();
      return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
    };
    const before = await read();
    for (const path of [namespaces, '/version', '/version']) await server.request('GET', path, { user });
    const changes = [...(await read())].map(([name, count]) => [name, count - (before.get(name) ?? 0)]);
    // The second reading of the metrics is three more requests that are allowed.
    assert.deepEqual(Object.fromEntries(changes), {
      'authorization_attempts_total{result="allowed"}': 2 + 3,
      'authorization_attempts_total{result="no-opinion"}': 1,
      'authorization_duration_seconds_count{result="allowed"}': 2 + 3,
      'authorization_duration_seconds_count{result="no-opinion"}': 1,
      'apiserver_authorization_decisions_total{decision="allowed",name="rbac",type="RBAC"}': 2,
    });
  });
});

describe('metrics of issuers', () => {
  const issuerHash = /jwt_issuer_hash="sha256:[0-9a-f]{64}"/;
  let issuer: LoopbackIssuer;
  before(async () => {
    issuer = await LoopbackIssuer.start();
  });
  after(() => issuer.stop());

  test('show verified tokens, the last keys and the configuration', async () => {
    const content = `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: "${issuer.url}", audiences: [fleet], certificateAuthority: ${JSON.stringify(issuer.authority)}}
  claimMappings: {username: {claim: sub, prefix: ""}}
`;
    const configuration = readAuthenticationConfiguration(content);
    const server = await startTestServer({ authentication: { configuration, content }, getDocument: issuer.get });
    await issuer.settled();
    const token = issuer.token({ sub: 'ann', aud: ['fleet'], exp: server.clock.now() / 1000 + 3600 }, {});
    for (const text of [token, token, issuer.token({ sub: 'ann', aud: ['other'] }, {})]) {
      await server.api.authenticate('none', `Bearer ${text}`);
    }
    const prefix = 'apiserver_authentication_';
    const shown = (await samples(server, prefix)).map((line) =>
      line
        .slice(prefix.length)
        .replace(issuerHash, 'ISSUER')
        .replace(/hash="sha256:[0-9a-f]{64}"/, 'HASH')
        .replace(/ [\d.]{8,}$/, ' TIME'),
    );
    assert.deepEqual(shown, [
      'config_controller_last_config_info{apiserver_id_hash="",HASH} 1',
      'jwt_authenticator_jwks_fetch_last_key_set_info{apiserver_id_hash="",HASH,ISSUER} 1',
      'jwt_authenticator_jwks_fetch_last_timestamp_seconds{apiserver_id_hash="",ISSUER,result="success"} TIME',
      'jwt_authenticator_latency_seconds_count{ISSUER,result="failure"} 1',
      'jwt_authenticator_latency_seconds_count{ISSUER,result="success"} 1',
    ]);
  });
});

test('durations are exact in number, though few are timed', async () => {
  const metrics = new MetricsRegistry();
  const histogram = metrics.histogram({ name: 'd', help: '', labels: ['result'], bounds: [1] });
  const durations = new SampledDurations(histogram, ['a', 'b']);
  const timed = Array.from({ length: 100 }, (_, run) => {
    const startedAt = durations.begin();
    durations.end(run % 4 === 0 ? 'b' : 'a', startedAt);
    return startedAt !== 0;
  });
  durations.flush();
  durations.flush();
  assert.equal(timed.filter(Boolean).length, 7);
  assert.deepEqual([histogram.with('a').count, histogram.with('b').count], [75, 25]);
});
