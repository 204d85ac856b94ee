/** Certificates and tokens of clients and certificates of the server, over real sockets. */
import assert from 'node:assert/strict';
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { get as getHttps } from 'node:https';
import { after, before, describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { administrator, type JsonObject } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import { issueCertificate, type KeyedCertificate } from '../credentials/certificates.ts';
import { freshCredentials, renewedCredentials, type CredentialSet } from '../credentials/credentials.ts';
import { listen, type Listener } from './listener.ts';

const hosts = ['localhost', '127.0.0.1'];
const selfPath = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const day = 24 * 60 * 60 * 1000;

interface Running {
  readonly listener: Listener;
  readonly credentials: CredentialSet;
  /** Moves the server's clock, not OpenSSL's. */
  setNow: (now: number) => void;
}

async function run(made = new Date()): Promise<Running> {
  const credentials = await freshCredentials(hosts, made);
  const server = await startTestServer({
    staticTokens: [{ token: credentials.token, user: { ...administrator, name: 'admin' } }],
  });
  let now = Date.now();
  const { handle, authenticate, reportFault } = server.api;
  const options = { handle, authenticate, reportFault, identity: credentials.server, now: () => now };
  const listener = await listen({ ...options, host: '127.0.0.1', port: 0 });
  return { listener, credentials, setNow: (next) => (now = next) };
}

describe('a client', () => {
  let running: Running;
  const sessions: ClientHttp2Session[] = [];
  before(async () => {
    running = await run();
  });
  after(async () => {
    for (const session of sessions) session.destroy();
    await running.listener.close(100);
  });

  function open(identity?: KeyedCertificate): ClientHttp2Session {
    const { listener, credentials } = running;
    const session = connect(`https://127.0.0.1:${listener.port}`, {
      ca: credentials.server.authority,
      ...(identity && { key: identity.key, cert: identity.certificate }),
    });
    sessions.push(session);
    return session;
  }

  const issued = (
    owner: { user: string; group: string },
    now = new Date(),
    authority = running.credentials,
  ): Promise<KeyedCertificate> =>
    issueCertificate({ key: authority.authorityKey ?? '', certificate: authority.server.authority }, owner, now);

  test('is authenticated by its certificate on every request of its connection', async () => {
    const session = open(await issued({ user: 'jane', group: 'team' }));
    for (let count = 0; count < 2; count++) {
      const { username, groups, extra } = await whoAmI(session);
      assert.deepEqual([username, groups], ['jane', ['team', 'system:authenticated']]);
      assert.match(
        JSON.stringify(extra),
        /"authentication.kubernetes.io\/credential-id":\["X509SHA256=[0-9a-f]{64}"\]/,
      );
    }
  });

  test('with a certificate of another authority is refused, unless it has a token', async () => {
    const foreign = await freshCredentials(hosts, new Date());
    const session = open(foreign.admin);
    assert.equal((await ask(session, 'GET', '/version')).status, 401);
    const headers = { authorization: `Bearer ${running.credentials.token}` };
    assert.equal((await whoAmI(session, headers)).username, 'admin');
  });

  test('with an expired certificate, or one for servers, is refused', async () => {
    const ended = await issued({ user: 'jane', group: 'team' }, new Date(Date.now() - 400 * day));
    assert.equal((await ask(open(ended), 'GET', '/version')).status, 401);
    assert.equal((await ask(open(running.credentials.server), 'GET', '/version')).status, 401);
  });

  test('whose certificate expires while it is connected is refused from then on', async () => {
    const session = open(await issued({ user: 'jane', group: 'team' }));
    assert.equal((await ask(session, 'GET', '/version')).status, 200);
    running.setNow(Date.now() + 366 * day);
    assert.equal((await ask(session, 'GET', '/version')).status, 401);
    running.setNow(Date.now());
  });

  test('without credentials is anonymous, and with invalid ones is refused', async () => {
    const session = open();
    assert.equal((await ask(session, 'GET', '/version')).status, 200);
    const pods = await ask(session, 'GET', '/api/v1/pods');
    assert.equal(pods.status, 403);
    assert.match(pods.text, /User \\"system:anonymous\\" cannot list/);
    for (const authorization of ['Bearer wrong', 'bearer x y']) {
      assert.equal((await ask(session, 'GET', '/healthz', { authorization })).status, 401, authorization);
    }
    for (const authorization of ['Basic eDp5', 'Bearer', 'Bearer  two-spaces']) {
      assert.equal((await ask(session, 'GET', '/healthz', { authorization })).status, 200, authorization);
    }
  });

  test('cannot join two Impersonate-Group headers to a third group, nor impersonate two users', async () => {
    const session = open(running.credentials.admin);
    const headers = {
      'impersonate-user': 'joe',
      'impersonate-group': ['a, b', 'c'],
      'Impersonate-Extra-Acme.com%2fScope': ['x, y', 'z'],
    };
    const { username, groups, extra } = await whoAmI(session, headers);
    assert.deepEqual([username, groups], ['joe', ['a, b', 'c', 'system:authenticated']]);
    assert.deepEqual(extra, { 'acme.com/scope': ['x, y', 'z'] });
    assert.equal((await whoAmI(session, { 'impersonate-user': ['joe', 'system:admin'] })).username, 'joe');
  });

  test('over HTTP/1.1 is authenticated and impersonates in the same way', async () => {
    const { listener, credentials } = running;
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = getHttps(
        {
          host: '127.0.0.1',
          port: listener.port,
          path: '/api/v1/pods',
          ca: credentials.server.authority,
          key: credentials.admin.key,
          cert: credentials.admin.certificate,
          headers: { 'IMPERSONATE-User': 'joe, system:admin', 'impersonate-GROUP': ['a', 'b, c'] },
          agent: false,
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      request.on('error', reject);
    });
    assert.equal(status, 403);
    assert.match(text, /User \\"joe, system:admin\\" cannot list/);
  });
});

describe('a server whose certificates are replaced', () => {
  test('uses the new one for new clients and keeps the old connections', async (context) => {
    const { listener, credentials } = await run(new Date(Date.now() - 250 * day));
    context.after(() => listener.close(0));
    const renewed = await renewedCredentials(credentials, hosts, new Date());
    assert.notEqual(renewed.server.certificate, credentials.server.certificate);
    const open = (): ClientHttp2Session =>
      connect(`https://127.0.0.1:${listener.port}`, {
        ca: credentials.server.authority,
        key: credentials.admin.key,
        cert: credentials.admin.certificate,
      });
    const old = open();
    assert.equal((await ask(old, 'GET', '/version')).status, 200);
    const before = shownBy(old);
    listener.setIdentity(renewed.server);
    const next = open();
    assert.equal((await ask(next, 'GET', '/api/v1/pods')).status, 200);
    assert.notEqual(shownBy(next), before);
    assert.equal((await ask(old, 'GET', '/api/v1/pods')).status, 200);
    old.destroy();
    next.destroy();
  });

  test('refuses connected clients whose certificate the new authority did not sign', async (context) => {
    const { listener, credentials } = await run();
    context.after(() => listener.close(0));
    const other = await freshCredentials(hosts, new Date());
    const session = connect(`https://127.0.0.1:${listener.port}`, {
      ca: credentials.server.authority,
      key: credentials.admin.key,
      cert: credentials.admin.certificate,
    });
    assert.equal((await ask(session, 'GET', '/api/v1/pods')).status, 200);
    const { clientAuthority } = other.server;
    listener.setIdentity({
      ...credentials.server,
      clientAuthority: `${credentials.server.authority}\n${clientAuthority}`,
    });
    assert.equal((await ask(session, 'GET', '/api/v1/pods')).status, 200);
    listener.setIdentity({ ...credentials.server, clientAuthority });
    assert.equal((await ask(session, 'GET', '/api/v1/pods')).status, 401);
    session.destroy();
  });
});

function shownBy(session: ClientHttp2Session): string | undefined {
  return (session.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256;
}

async function whoAmI(session: ClientHttp2Session, headers: OutgoingHttpHeaders = {}): Promise<JsonObject> {
  const { status, text } = await ask(session, 'POST', selfPath, headers);
  assert.equal(status, 201, text);
  return (JSON.parse(text) as { status: { userInfo: JsonObject } }).status.userInfo;
}

function ask(
  session: ClientHttp2Session,
  method: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ...headers,
      ':method': method,
      ':path': path,
      'content-type': 'application/json',
    });
    let status = 0;
    let text = '';
    stream.on('response', (answer) => (status = Number(answer[':status'])));
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    stream.on('end', () => resolve({ status, text }));
    stream.on('error', reject);
    session.on('error', reject);
    stream.end(method === 'POST' ? '{}' : undefined);
  });
}

test('a request waits for its user, and an exception of the authenticator is only its own', async () => {
  const { server: identity } = await freshCredentials(hosts, new Date());
  const server = await startTestServer();
  const { handle, reportFault } = server.api;
  const authenticate = (_proof: unknown, authorization?: string): Promise<typeof administrator> =>
    authorization === 'Bearer bad' ? Promise.reject(new Error('boom')) : Promise.resolve(administrator);
  const listener = await listen({
    handle,
    authenticate,
    reportFault,
    identity,
    now: () => Date.now(),
    host: '127.0.0.1',
    port: 0,
  });
  const session = connect(`https://127.0.0.1:${listener.port}`, { ca: identity.authority });
  const statusOf = (authorization: string): Promise<unknown> =>
    new Promise((resolve) => {
      const stream = session.request({ ':path': '/api/v1/namespaces/default', authorization });
      stream.on('response', (headers) => resolve(headers[':status']));
      stream.resume().end();
    });
  assert.deepEqual(await Promise.all(['Bearer bad', 'Bearer good'].map(statusOf)), [500, 200]);
  session.destroy();
  await listener.close(0);
});
