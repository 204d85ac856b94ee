import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { freshCredentials } from '@flotilla/apiserver';
import { connect, type Client } from '@flotilla/client';
import { pods } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { key, pod, scriptedServer, sendObject, testCredentials, type ScriptedServer } from './scripted-server.ts';

const refusal = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'Unauthorized',
  code: 401,
};

describe('a client with credentials', () => {
  let directory: string;
  let server: ScriptedServer;
  let accepted = 'Bearer first';
  const seen: IncomingHttpHeaders[] = [];
  const certificates: (string | undefined)[] = [];
  const clients: Client[] = [];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'flotilla-client-'));
    server = await scriptedServer((stream, headers, session) => {
      seen.push(headers);
      const socket = session.socket as unknown as TLSSocket;
      certificates.push(socket.getPeerX509Certificate()?.fingerprint256);
      const isKnown = accepted === '' || headers.authorization === accepted;
      sendObject(stream, isKnown ? pod : refusal, isKnown ? 200 : 401);
    });
  });
  afterEach(async () => {
    seen.length = 0;
    certificates.length = 0;
    for (const client of clients.splice(0)) await client.close();
  });
  after(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  /** A client as a kubeconfig with this user makes it. */
  const clientWith = async (user: object, cluster: object = {}, clock = new ManualClock()): Promise<Client> => {
    const { authority } = (await testCredentials()).server;
    const trust = 'insecure-skip-tls-verify' in cluster ? {} : { 'certificate-authority-data': base64(authority) };
    const config = {
      'current-context': 'test',
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      clusters: [{ name: 'test', cluster: { server: server.url, ...trust, ...cluster } }],
      users: [{ name: 'test', user }],
    };
    const kubeconfig = join(directory, 'config');
    await writeFile(kubeconfig, JSON.stringify(config));
    const environment = { PATH: process.env['PATH'], FROM_OUTSIDE: 'yes' };
    const client = await connect({ kubeconfig, environment, clock, random: () => 0 });
    clients.push(client);
    return client;
  };
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(directory, name), text, { mode: 0o755 });
    return name;
  };
  const authorizations = (): unknown[] => seen.map(({ authorization }) => authorization);

  test('rereads its token file after a minute, and not before', async () => {
    const clock = new ManualClock();
    accepted = '';
    const client = await clientWith({ tokenFile: await file('token', 'first\n') }, {}, clock);
    await client.get(pods, key);
    await file('token', 'second\n');
    await clock.advance(59_000);
    await client.get(pods, key);
    await clock.advance(1_000);
    await client.get(pods, key);
    assert.deepEqual(authorizations(), ['Bearer first', 'Bearer first', 'Bearer second']);
  });

  test('rereads its token after a 401 and retries the request', async () => {
    accepted = 'Bearer first';
    const client = await clientWith({ tokenFile: await file('token', 'first') });
    await client.get(pods, key);
    accepted = 'Bearer second';
    await file('token', 'second');
    assert.deepEqual(await client.create(pods, pod), pod);
    assert.deepEqual(authorizations(), ['Bearer first', 'Bearer first', 'Bearer second']);
  });

  test('reports the 401 if the token did not change', async () => {
    accepted = 'Bearer other';
    const client = await clientWith({ tokenFile: await file('token', 'first') });
    await assert.rejects(client.get(pods, key), { name: 'ApiError', code: 401 });
    assert.equal(seen.length, 1);
  });

  test('keeps its token while the file is missing', async () => {
    const clock = new ManualClock();
    accepted = '';
    const client = await clientWith({ tokenFile: await file('fleeting', 'first') }, {}, clock);
    await client.get(pods, key);
    await rm(join(directory, 'fleeting'));
    await clock.advance(120_000);
    assert.deepEqual(await client.get(pods, key), pod);
  });

  test('reports a missing or empty token file', async () => {
    const client = await clientWith({ tokenFile: 'nowhere' });
    await assert.rejects(client.get(pods, key), { name: 'ConnectionError', message: /no credentials: .*nowhere/ });
    const empty = await clientWith({ tokenFile: await file('empty', '\n') });
    await assert.rejects(empty.get(pods, key), { message: /the token in .*empty is empty/ });
  });

  test('sends basic authentication', async () => {
    accepted = `Basic ${base64('me:secret')}`;
    const client = await clientWith({ username: 'me', password: 'secret' });
    assert.deepEqual(await client.get(pods, key), pod);
  });

  test('impersonates a user', async () => {
    accepted = '';
    const user = {
      token: 't',
      as: 'jane',
      'as-groups': ['a,b', 'c'],
      'as-uid': '7',
      'as-user-extra': { 'x/y': ['1'] },
    };
    await (await clientWith(user)).get(pods, key);
    const [headers = {}] = seen;
    assert.equal(headers['impersonate-user'], 'jane');
    assert.equal(headers['impersonate-group'], 'a,b, c');
    assert.equal(headers['impersonate-uid'], '7');
    assert.equal(headers['impersonate-extra-x%2fy'], '1');
  });

  test('uses the current certificate of its files', async () => {
    const clock = new ManualClock();
    accepted = '';
    const [one, other] = [(await testCredentials()).admin, (await freshCredentials(['localhost'], new Date())).admin];
    const user = {
      'client-certificate': await file('client.crt', one.certificate),
      'client-key': await file('client.key', one.key),
    };
    const client = await clientWith(user, {}, clock);
    await client.get(pods, key);
    await client.get(pods, key);
    await file('client.crt', other.certificate);
    await clock.advance(60_000);
    await client.get(pods, key);
    await file('client.key', other.key);
    await clock.advance(60_000);
    await client.get(pods, key);
    const [first, second, third, fourth] = certificates;
    assert.ok(first !== undefined && fourth !== undefined);
    assert.deepEqual([second, third], [first, first]);
    assert.notEqual(first, fourth);
  });

  test('verifies the name in the certificate of the server', async () => {
    accepted = '';
    const wrong = await clientWith({ token: 't' }, { 'tls-server-name': 'other.example' });
    await assert.rejects(wrong.get(pods, key), { reached: 'unreachable', message: /other\.example/ });
    const right = await clientWith({ token: 't' }, { 'tls-server-name': 'kubernetes' });
    assert.deepEqual(await right.get(pods, key), pod);
  });

  test('accepts the certificate of the server as its own authority', async () => {
    accepted = '';
    const { certificate } = (await testCredentials()).server;
    const client = await clientWith({ token: 't' }, { 'certificate-authority-data': base64(certificate) });
    assert.deepEqual(await client.get(pods, key), pod);
  });

  test('refuses an unknown certificate unless verification is off', async () => {
    accepted = '';
    const { authority } = (await freshCredentials(['localhost'], new Date())).server;
    const strict = await clientWith({ token: 't' }, { 'certificate-authority-data': base64(authority) });
    await assert.rejects(strict.get(pods, key), { reached: 'unreachable', message: /certificate/ });
    const careless = await clientWith({ token: 't' }, { 'insecure-skip-tls-verify': true });
    assert.deepEqual(await careless.get(pods, key), pod);
  });

  describe('by an exec plugin', () => {
    /** A program that notes its runs and hands out `first`, `second`, … */
    const plugin = async (status: string): Promise<object> => {
      await rm(join(directory, 'runs'), { force: true });
      const command = await file(
        'plugin',
        `#!/bin/sh
echo "$KUBERNETES_EXEC_INFO|$1|$MODE|$FROM_OUTSIDE" >> "${join(directory, 'runs')}"
case $(grep -c . "${join(directory, 'runs')}") in 1) token=first;; 2) token=second;; *) token=third;; esac
echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":${status}}' | sed "s/TOKEN/$token/"
`,
      );
      return {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: `./${command}`,
          args: ['login'],
          env: [{ name: 'MODE', value: 'quiet' }],
          provideClusterInfo: true,
          interactiveMode: 'IfAvailable',
        },
      };
    };
    const runs = async (): Promise<string[]> =>
      (await readFile(join(directory, 'runs'), 'utf8')).split('\n').filter((line) => line !== '');

    test('runs it once for many requests', async () => {
      accepted = 'Bearer first';
      const client = await clientWith(await plugin('{"token":"TOKEN"}'));
      await Promise.all(Array.from({ length: 5 }, () => client.get(pods, key)));
      const [run = '', ...more] = await runs();
      assert.deepEqual(more, []);
      const [info = '', ...rest] = run.split('|');
      assert.deepEqual(rest, ['login', 'quiet', 'yes']);
      const question = JSON.parse(info) as { spec: { cluster: { server: string }; interactive: boolean } };
      assert.deepEqual([question.spec.cluster.server, question.spec.interactive], [server.url, false]);
    });

    test('runs it again when its credential expired or was refused', async () => {
      const clock = new ManualClock(Date.UTC(2026, 0, 1));
      const client = await clientWith(
        await plugin('{"token":"TOKEN","expirationTimestamp":"2026-01-01T00:10:00Z"}'),
        {},
        clock,
      );
      accepted = 'Bearer first';
      await client.get(pods, key);
      accepted = 'Bearer second';
      await client.get(pods, key);
      await clock.advance(11 * 60_000);
      accepted = 'Bearer third';
      await client.get(pods, key);
      assert.equal((await runs()).length, 3);
    });

    test('uses the certificate that it returns', async () => {
      accepted = '';
      const { admin } = await testCredentials();
      const status = { clientCertificateData: admin.certificate, clientKeyData: admin.key };
      const client = await clientWith(await plugin(JSON.stringify(status).replaceAll('\\n', '\\\\n')));
      await client.get(pods, key);
      assert.ok(certificates[0] !== undefined);
    });

    test('reports an invalid credential', async () => {
      const problems: [status: string, message: RegExp][] = [
        ['{}', /the exec plugin \S+ returned neither a token nor a certificate/],
        ['{"clientKeyData":"k"}', /returned only one of certificate and key/],
        ['{"token":"t","expirationTimestamp":"soon"}', /status\.expirationTimestamp is not a time: soon/],
        ['{', /did not print JSON/],
      ];
      for (const [status, message] of problems) {
        const client = await clientWith(await plugin(status));
        await assert.rejects(client.get(pods, key), { name: 'ConnectionError', message });
      }
    });

    test('reports its error output, or that it is not installed', async () => {
      const command = await file('failing', '#!/bin/sh\necho "please log in" >&2\nexit 3\n');
      const exec = { apiVersion: 'client.authentication.k8s.io/v1beta1', command: `./${command}` };
      const failing = await clientWith({ exec });
      await assert.rejects(failing.get(pods, key), { message: /ended with code 3: please log in/ });
      const missing = await clientWith({
        exec: { ...exec, command: 'no-such-plugin', installHint: 'Get it from us.' },
      });
      await assert.rejects(missing.get(pods, key), { message: /no-such-plugin is not installed\n\nGet it from us\./ });
    });
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
