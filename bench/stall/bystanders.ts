/**
 * Measures how heavy requests delay other clients: a probe that requests `/livez` every 5 ms, and another user that creates
 * ConfigMaps one after another. Runs in a process of its own. Messages start and end it.
 */
import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import type { Target } from '../load/workload.ts';
import { machineMs, type Span } from './worst-waits.ts';

export interface Noticed {
  readonly probes: readonly Span[];
  readonly creates: readonly Span[];
  /** The longest delay of this process itself. On a busy machine the server does not cause all waits. */
  readonly ownDelayMs: number;
}

const probeEveryMs = 5;
/** Half a second of pending probes. More would only add load when the server responds again. */
const maxUnanswered = 100;
const namespace = 'stall-bystander';
/** Not the user of the heavy requests. Has all rights. */
const otherUser = { 'impersonate-user': 'bystander', 'impersonate-group': 'system:masters' };

process.on('disconnect', () => process.exit());
const target = JSON.parse(process.argv[2] ?? '{}') as Target;
const probing = await openSession(target);
const creating = await openSession(target);
const noticed = { probes: [] as Span[], creates: [] as Span[], ownDelayMs: 0 };

await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
process.send?.('ready');
await once(process, 'message');
const stopProbing = startProbing();
const end = new AbortController();
const created = createAll(end.signal);
await once(process, 'message');
end.abort();
await Promise.all([stopProbing(), created]);
process.send?.(noticed satisfies Noticed);

async function openSession({ url, authority, certificate, key }: Target): Promise<ClientHttp2Session> {
  const session = connect(url, { ca: authority, cert: certificate, key });
  await once(session, 'connect');
  return session;
}

/** Sends a probe at every tick: one that waited for the previous response would miss stalls. */
function startProbing(): () => Promise<void> {
  const unanswered = new Set<Promise<void>>();
  let expected = machineMs() + probeEveryMs;
  const timer = setInterval(() => {
    const now = machineMs();
    noticed.ownDelayMs = Math.max(noticed.ownDelayMs, now - expected);
    expected = now + probeEveryMs;
    if (unanswered.size >= maxUnanswered) return;
    const probe = exchange(probing, { ':path': '/livez' }).then(({ span, status }) => {
      if (status !== 200) throw new Error(`/livez returned ${status}`);
      noticed.probes.push(span);
      unanswered.delete(probe);
    });
    unanswered.add(probe);
  }, probeEveryMs);
  return async () => {
    clearInterval(timer);
    await Promise.all(unanswered);
    noticed.probes.sort((one, other) => one.from - other.from);
  };
}

async function createAll(end: AbortSignal): Promise<void> {
  for (let number = 0; !end.aborted; number++) {
    const metadata = { name: `written-${number}` };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { number: String(number) } };
    noticed.creates.push(await create(`/api/v1/namespaces/${namespace}/configmaps`, object));
  }
}

async function create(path: string, object: object): Promise<Span> {
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/json', ...otherUser };
  const { span, status } = await exchange(creating, headers, Buffer.from(JSON.stringify(object)));
  if (status !== 201) throw new Error(`POST ${path}: ${status}`);
  return span;
}

function exchange(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<{ span: Span; status: number }> {
  return new Promise((resolve, reject) => {
    const from = machineMs();
    const stream = session.request(headers, { endStream: !body });
    let status = 0;
    stream.on('response', (response) => {
      status = response[':status'] ?? 0;
    });
    stream.on('end', () => resolve({ span: { from, to: machineMs() }, status }));
    stream.on('error', reject);
    stream.resume();
    if (body) stream.end(body);
  });
}
