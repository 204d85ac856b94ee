/**
 * Records the audit events of kube-apiserver v1.36 for `recorded-requests.testing.ts`. Start it with `recorded/policy.yaml`, with
 * `--audit-log-path FILE` and with the tokens admin-token, alice-token:
 * node packages/apiserver/src/audit/record-events.testing.ts --server URL --log FILE
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { auditIdOf, comparableEvents } from './recorded-events.testing.ts';
import { auditedRequests, type AuditedRequest } from './recorded-requests.testing.ts';

const { values } = parseArgs({ options: { server: { type: 'string' }, log: { type: 'string' } } });
const { server, log } = values;
if (server === undefined || log === undefined) throw new Error('--server URL and --log FILE are required');
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

// Expectations come from Kubernetes; recording our own events would prove nothing.
if ((await textAt('/version')).includes('flotilla')) throw new Error('this server is Flotilla, not kube-apiserver');

for (const [index, row] of auditedRequests.entries()) {
  await send(row, auditIdOf(index));
  // A definition is served some time after it is accepted.
  if (row.says === 'defines a kind') await sleep(5000);
}
await sleep(1500);
const lines = readFileSync(log, 'utf8')
  .split('\n')
  .filter((line) => line.includes('"auditID":"row-'));
const events = comparableEvents(lines);
writeFileSync(new URL('recorded/events.json', import.meta.url), `${JSON.stringify(events, undefined, 1)}\n`);
console.log(`${events.length} events of ${auditedRequests.length} requests`);
agent.destroy();

function send({ as, send: line, body, type, accept, headers = {} }: AuditedRequest, auditId: string): Promise<void> {
  const [method = '', target = ''] = line.split(' ', 2);
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sent = request(`${server}${target}`, {
    agent,
    method,
    headers: {
      'audit-id': auditId,
      'user-agent': 'audited',
      accept: accept ?? 'application/json',
      ...(as !== undefined && { authorization: `Bearer ${as}-token` }),
      // Without a length, Node sends no body of a DELETE.
      ...(text !== undefined && {
        'content-type': type ?? 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
      ...headers,
    },
  });
  sent.on('response', (response) => response.resume().on('end', resolve));
  sent.on('error', reject);
  sent.end(text);
  return promise;
}

function textAt(target: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const sent = request(`${server}${target}`, { agent }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('end', () => resolve(text));
  });
  sent.on('error', reject).end();
  return promise;
}
