/** Compares our audit events with those of kube-apiserver v1.36. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import type { JsonObject, User } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { eventJson } from './audit-event.ts';
import { readAuditPolicy } from './policy/read-policy.ts';
import { auditIdOf, comparableEvents } from './recorded-events.testing.ts';
import { auditedRequests, type AuditedRequest } from './recorded-requests.testing.ts';

const read = (name: string): string => readFileSync(new URL(`recorded/${name}`, import.meta.url), 'utf8');

const users: Readonly<Record<string, User | undefined>> = {
  admin: { name: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] },
  alice: { name: 'alice', uid: 'alice-uid', groups: ['developers', 'system:authenticated'] },
  stranger: undefined,
};
const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

describe('the audit events of a request are those of kube-apiserver', () => {
  const lines: string[] = [];
  const recorded = JSON.parse(read('events.json')) as JsonObject[];
  let events: JsonObject[];

  before(async () => {
    const write = (event: Parameters<typeof eventJson>[0]): boolean => lines.push(eventJson(event)) > 0;
    const server = await startTestServer({
      staticTokens: [{ token: 'alice-token', user: { name: 'alice', uid: 'alice-uid', groups: ['developers'] } }],
      audit: {
        policy: readAuditPolicy(read('policy.yaml')),
        backends: [() => ({ write, stop: () => Promise.resolve() })],
      },
    });
    for (const [index, row] of auditedRequests.entries()) {
      await send(server, row, auditIdOf(index));
      await server.settle();
    }
    events = comparableEvents(lines.filter((line) => line.includes('"auditID":"row-'))) as JsonObject[];
  });

  for (const [index, row] of auditedRequests.entries()) {
    const ofRow = ({ auditID }: JsonObject): boolean => auditID === auditIdOf(index);
    const expected = recorded.filter(ofRow);
    test(`${index + 1}: ${row.says}`, () => {
      const actual = events.filter(ofRow);
      // Kubernetes loses the event of a patch that is no JSON.
      if (row.kubernetesLoses) assert.equal(actual.at(-1)?.['stage'], 'ResponseComplete');
      assert.deepEqual(row.kubernetesLoses ? actual.slice(0, expected.length) : actual, expected);
    });
  }
});

async function send(server: TestServer, row: AuditedRequest, auditId: string): Promise<void> {
  const { as, send: line, body, type, accept, headers = {} } = row;
  const [method = '', target = ''] = line.split(' ', 2);
  const [path = '', query = ''] = target.split('?', 2);
  const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
  const answer = await server.api.handle({
    method,
    path,
    query,
    headers: {
      'user-agent': 'audited',
      accept: accept ?? 'application/json',
      ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
      ...headers,
    },
    user: as === undefined ? anonymous : users[as],
    body: () => Promise.resolve(Buffer.from(text)),
    auditId,
    remoteAddress: '127.0.0.1',
    signal: new AbortController().signal,
  });
  if (!('start' in answer.body)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  answer.body.start({
    write: () => true,
    end: resolve,
    fail: () => resolve(),
    onDrain: () => undefined,
    onClose: () => undefined,
  });
  if (query.includes('watch=true')) await server.clock.advance(1000);
  await promise;
}
