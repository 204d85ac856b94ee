import assert from 'node:assert/strict';
import { request } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { administrator } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { freshCredentials, type CredentialSet } from '../credentials/credentials.ts';
import { listen, type Listener } from './listener.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('a watch over WebSocket', () => {
  let server: TestServer;
  let listener: Listener;
  let credentials: CredentialSet;
  const trusted = getCACertificates('default');

  before(async () => {
    credentials = await freshCredentials(['localhost', '127.0.0.1'], new Date());
    server = await startTestServer({
      staticTokens: [{ token: credentials.token, user: administrator }],
    });
    const { handle, authenticate, reportFault } = server.api;
    const identity = credentials.server;
    listener = await listen({ handle, authenticate, reportFault, identity, host: '127.0.0.1', port: 0, now: Date.now });
    setDefaultCACertificates([...trusted, credentials.server.authority]);
    await server.request('POST', configMaps, { body: { metadata: { name: 'first' } } });
  });

  after(async () => {
    setDefaultCACertificates(trusted);
    await listener.close(100);
  });

  function open(target: string, protocols: string[] = []): TestSocket {
    const token = Buffer.from(credentials.token).toString('base64url');
    const all = [`base64url.bearer.authorization.k8s.io.${token}`, ...protocols];
    return new TestSocket(`wss://127.0.0.1:${listener.port}${target}`, all);
  }

  test('sends each event as one message of text', async () => {
    const socket = open(`${configMaps}?watch=true&fieldSelector=metadata.namespace%3Ddefault`, ['binary.k8s.io']);
    assert.match(await socket.message(), /^\{"type":"ADDED","object":\{"kind":"ConfigMap",.*"name":"first".*\}\n$/);
    await Promise.all(
      ['a', 'b', 'c'].map((name) => server.request('POST', configMaps, { body: { metadata: { name } } })),
    );
    for (const name of ['a', 'b', 'c']) {
      const { type, object } = JSON.parse(await socket.message()) as {
        type: string;
        object: { metadata: { name: string } };
      };
      assert.deepEqual([type, object.metadata.name], ['ADDED', name]);
    }
    assert.equal(socket.protocol, 'binary.k8s.io');
    assert.equal(await socket.close(), 1000);
  });

  test('ends with a close frame after its timeout', async () => {
    const socket = open(`${configMaps}?watch=true&timeoutSeconds=5`, ['binary.k8s.io']);
    await socket.message();
    await server.clock.advance(5000);
    assert.equal(await socket.closed, 1000);
  });

  test('is refused with a Status before it begins, not after', async () => {
    const { status, text } = await upgrade(`${configMaps}?watch=true&resourceVersion=abc`);
    assert.equal(status, 500);
    assert.match(text, /"message":"resourceVersion: Invalid value/);
  });

  test('must be a watch: other requests get their ordinary response', async () => {
    const { status, text } = await upgrade(`${configMaps}/first`);
    assert.equal(status, 200);
    assert.match(text, /"kind":"ConfigMap"/);
  });

  test('agrees on one protocol, or on none at all', async () => {
    const { status } = await upgrade(`${configMaps}?watch=true`, { 'sec-websocket-protocol': 'a, b' });
    assert.equal(status, 400);
    const { status: withoutVersion } = await upgrade(`${configMaps}?watch=true`, { 'sec-websocket-version': '8' });
    assert.equal(withoutVersion, 400);
  });

  test('needs valid credentials', async () => {
    const { status } = await upgrade(`${configMaps}?watch=true`, { authorization: 'Bearer wrong' });
    assert.equal(status, 401);
  });

  /** Sends an upgrade that the server must answer with an ordinary response. */
  function upgrade(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: listener.port,
        path,
        ca: credentials.server.authority,
        agent: false,
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          authorization: `Bearer ${credentials.token}`,
          ...headers,
        },
      });
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      });
      outgoing.on('upgrade', () => reject(new Error('the request was upgraded')));
      outgoing.on('error', reject);
      outgoing.end();
    });
  }
});

/** Messages of a socket, one by one. */
class TestSocket {
  readonly #socket: WebSocket;
  readonly #messages: string[] = [];
  readonly #waiting: ((message: string) => void)[] = [];
  readonly closed: Promise<number>;

  constructor(url: string, protocols: string[]) {
    this.#socket = new WebSocket(url, protocols);
    this.#socket.addEventListener('message', ({ data }) => {
      const waiter = this.#waiting.shift();
      if (waiter) waiter(String(data));
      else this.#messages.push(String(data));
    });
    this.closed = new Promise((resolve) => this.#socket.addEventListener('close', ({ code }) => resolve(code)));
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  message(): Promise<string> {
    const known = this.#messages.shift();
    return known === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(known);
  }

  close(): Promise<number> {
    this.#socket.close(1000);
    return this.closed;
  }
}
