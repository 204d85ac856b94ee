/** Sends the catalogue of heavy requests, one at a time without pause, in a process of its own. Builds all bodies first. */
import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import { initialEventsEndKey } from '@flotilla/kube';
import type { Target } from '../load/workload.ts';
import { catalogue, setup } from './catalogue.ts';
import type { HeavyRequest, Step } from '../heavy/heavy-requests.ts';
import { machineMs, type Span } from './worst-waits.ts';

/** A request of the catalogue, or the setup or cleanup steps of one. */
export interface Played extends Span {
  readonly name: string;
  readonly isOfCatalogue: boolean;
  /** The unexpected response, if there was one. */
  readonly fault?: string;
  readonly status: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Sent to the parent: first that all is prepared, then the results. */
export type PlayerMessage = 'prepared' | readonly Played[];

type Exchange = Omit<Played, 'name' | 'isOfCatalogue'>;

/** Built bodies, by builder: several requests share their setup steps. */
const bodies = new Map<() => Uint8Array, Uint8Array>();

process.on('disconnect', () => process.exit());
const session = await openSession(JSON.parse(process.argv[2] ?? '{}') as Target);
for (const step of await setup()) await sendSetup(step);
for (const request of catalogue) {
  for (const step of stepsOf(request)) bodyOf(step);
}
sendToParent('prepared');
await once(process, 'message');
const played: Played[] = [];
for (const request of catalogue) {
  await sendAll(`before: ${request.name}`, request.prepare);
  await play(request.name, request, (status) => status === request.status);
  await sendAll(`after: ${request.name}`, request.cleanup);
}
sendToParent(played);

async function openSession({ url, authority, certificate, key }: Target): Promise<ClientHttp2Session> {
  const session = connect(url, {
    ca: authority,
    cert: certificate,
    key,
    settings: { initialWindowSize: 4 * 1024 * 1024 },
    // Each warning is a response header.
    maxHeaderListPairs: 4200,
  });
  await once(session, 'connect');
  session.setLocalWindowSize(16 * 1024 * 1024);
  return session;
}

function stepsOf(request: HeavyRequest): readonly Step[] {
  return [...(request.prepare ?? []), request, ...(request.cleanup ?? [])];
}

function bodyOf({ body }: Step): Uint8Array | undefined {
  if (!body) return undefined;
  const built = bodies.get(body) ?? body();
  bodies.set(body, built);
  return built;
}

/** Accepts objects that exist already. Retries 404, because a CRD is served a moment after its create. */
async function sendSetup(step: Step): Promise<void> {
  const body = step.body?.();
  for (let tries = 0; ; tries++) {
    const { status } = await send(step, body);
    if (status < 300 || status === 409) return;
    if (status !== 404 || tries === 100) throw new Error(`${step.method} ${step.path} returned ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function sendAll(name: string, steps: readonly Step[] = []): Promise<void> {
  for (const step of steps) await play(name, step, (status) => status < 300);
}

/** Records an unexpected response and continues, so that the other requests are measured. */
async function play(name: string, step: Step, isExpected: (status: number) => boolean): Promise<void> {
  const from = machineMs();
  const body = bodyOf(step);
  const exchange = await send(step, body).catch((error: Error): Exchange => {
    const sentBytes = body?.length ?? 0;
    return { from, to: machineMs(), status: 0, sentBytes, receivedBytes: 0, fault: error.message };
  });
  const isFault = exchange.status !== 0 && !isExpected(exchange.status);
  played.push({
    name,
    isOfCatalogue: 'name' in step,
    ...exchange,
    ...(isFault && { fault: `unexpected ${exchange.status}` }),
  });
}

function send(request: Step, body: Uint8Array | undefined): Promise<Exchange> {
  const { method, path, contentType = 'application/json', accept = 'application/json' } = request;
  const isWatch = path.includes('watch=1');
  return new Promise((resolve, reject) => {
    const from = machineMs();
    const headers = { ':method': method, ':path': path, accept };
    const stream = session.request(body ? { ...headers, 'content-type': contentType } : headers, { endStream: !body });
    let status = 0;
    let receivedBytes = 0;
    let end: Buffer = Buffer.alloc(0);
    stream.on('response', (response) => {
      status = response[':status'] ?? 0;
    });
    stream.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (!isWatch) return;
      end = Buffer.concat([end.subarray(-initialEventsEndKey.length), chunk]);
      if (end.includes(initialEventsEndKey)) stream.close();
    });
    stream.on('close', () => resolve({ from, to: machineMs(), status, sentBytes: body?.length ?? 0, receivedBytes }));
    stream.on('error', reject);
    if (body) stream.end(body);
  });
}

function sendToParent(message: PlayerMessage): void {
  process.send?.(message);
}
