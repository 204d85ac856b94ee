import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { flushPromises, startTestServer, type TestServer, type TestServerOptions } from '@flotilla/testkit';
import { eventJson } from './audit-event.ts';
import { HeavyThread } from '../heavy/heavy-thread.ts';
import type { MakeBackend } from './backends/audit-backend.ts';
import { readAuditPolicy } from './policy/read-policy.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { password: 'hunter2' } };

const password = Buffer.from('hunter2').toString('base64');

interface Audited {
  readonly server: TestServer;
  readonly events: JsonObject[];
  readonly text: () => string;
}

/** `write` counts once the server has started. */
async function audited(
  rules: string,
  write = (): boolean | Promise<boolean> => true,
  options: TestServerOptions = {},
): Promise<Audited> {
  const lines: string[] = [];
  let isStarted = false;
  const backend: MakeBackend = () => ({
    write: (event) => {
      lines.push(eventJson(event));
      return !isStarted || write();
    },
    stop: () => Promise.resolve(),
  });
  const policy = readAuditPolicy(`apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: ${rules}`);
  const server = await startTestServer({ ...options, audit: { policy, backends: [backend] } });
  isStarted = true;
  lines.length = 0;
  return {
    server,
    text: () => lines.join('\n'),
    get events() {
      return lines.map((line) => JSON.parse(line) as JsonObject);
    },
  };
}

describe('an audited server', () => {
  const shown: readonly [level: string, times: number][] = [
    ['Metadata', 0],
    ['Request', 1],
    ['RequestResponse', 2],
  ];
  for (const [level, times] of shown) {
    test(`shows the content of a Secret ${times} times at the level ${level}`, async () => {
      const { server, text } = await audited(`[{level: ${level}, omitStages: [RequestReceived]}]`);
      await server.request('POST', secrets, { body: secret });
      assert.equal(text().split(password).length - 1, times);
    });
  }

  test('keeps no token of a request header, at any level', async () => {
    const { server, text } = await audited('[{level: RequestResponse}]');
    await server.request('GET', secrets, { headers: { authorization: 'Bearer sesame' } });
    assert.equal(text().includes('sesame'), false);
  });

  test('refuses requests whose arrival cannot be stored, if the backend is strict', async () => {
    const { server } = await audited('[{level: Metadata}]', () => false);
    const { status, body } = await server.request('GET', secrets);
    assert.deepEqual([status, body['message']], [500, 'Internal error occurred: failed to store audit event']);
  });

  test('answers when a backend that blocks has the event', async () => {
    const stored = Promise.withResolvers<boolean>();
    const { server } = await audited('[{level: Metadata, omitStages: [RequestReceived]}]', () => stored.promise);
    let isAnswered = false;
    const answer = server.request('GET', `${secrets}/s`).then(() => (isAnswered = true));
    await flushPromises();
    assert.equal(isAnswered, false);
    stored.resolve(true);
    assert.equal(await answer, true);
  });

  test('records an exception as a panic', async () => {
    const audit = await audited('[{level: Metadata, omitStages: [RequestReceived]}]');
    audit.server.store.get = () => {
      throw new TypeError('boom');
    };
    await audit.server.request('GET', `${secrets}/s`);
    const [event] = audit.events;
    const message = "APIServer panic'd: boom";
    assert.equal(event?.['stage'], 'Panic');
    assert.deepEqual(event['responseStatus'], {
      metadata: {},
      status: 'Failure',
      message,
      reason: 'InternalError',
      code: 500,
    });
  });

  test('records what a worker decoded', async () => {
    const heavyThread = new HeavyThread({ heavyBytes: 0 });
    const audit = await audited('[{level: Request, omitStages: [RequestReceived]}]', () => true, { heavyThread });
    await audit.server.request('POST', secrets, { body: secret });
    await heavyThread.stop();
    const [event] = audit.events;
    assert.equal((event?.['objectRef'] as JsonObject | undefined)?.['name'], 's');
    assert.deepEqual((event?.['requestObject'] as JsonObject | undefined)?.['data'], { password });
  });
});
