/**
 * One user in a process of its own: floods the server with many requests in flight, or sends one request at a time and
 * measures how long each takes. Messages start and end it.
 */
import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import { collectionPath, configMap, nameOf } from '../load/config-map.ts';
import type { Target } from '../load/workload.ts';

export type FloodWork = 'get' | 'create' | 'list';

export interface FloodRun {
  readonly work: FloodWork;
  readonly inFlight: number;
  /** Distinguishes the objects of runs. */
  readonly prefix: string;
}

export interface FloodResult {
  /** Of successful requests, in milliseconds. */
  readonly taken: Float64Array;
  readonly refused: number;
}

export interface FloodUser {
  readonly target: Target;
  readonly name: string;
  readonly connections: number;
  /** Objects that exist, for reads. */
  readonly objects: number;
}

const user = JSON.parse(process.argv[2] ?? '{}') as FloodUser;

process.on('disconnect', () => process.exit());
const sessions = await Promise.all(Array.from({ length: user.connections }, openSession));
process.send?.('ready');
let end = new AbortController();
let counter = 0;
process.on('message', (run: FloodRun | 'end') => {
  if (run === 'end') end.abort();
  else void perform(run);
});

async function perform(run: FloodRun): Promise<void> {
  end = new AbortController();
  const { signal } = end;
  const taken: number[] = [];
  let refused = 0;
  const work = async (worker: number): Promise<void> => {
    while (!signal.aborted) {
      const start = performance.now();
      const status = await exchange(sessions[worker % sessions.length]!, run);
      if (status === 429) refused++;
      else if (status < 300) taken.push(performance.now() - start);
      else throw new Error(`${run.work}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: run.inFlight }, (_, worker) => work(worker)));
  process.send?.({ taken: Float64Array.from(taken), refused } satisfies FloodResult);
}

async function openSession(): Promise<ClientHttp2Session> {
  const { url, authority, certificate, key } = user.target;
  const session = connect(url, { ca: authority, cert: certificate, key });
  await once(session, 'connect');
  return session;
}

function exchange(session: ClientHttp2Session, { work, prefix }: FloodRun): Promise<number> {
  const number = counter++;
  const body = work === 'create' ? configMap(nameOf(prefix, number), number) : undefined;
  const path = work === 'get' ? `${collectionPath}/${nameOf('object', number % user.objects)}` : collectionPath;
  return new Promise((resolve, reject) => {
    const stream = session.request(
      {
        ':method': body ? 'POST' : 'GET',
        ':path': work === 'list' ? `${path}?limit=${user.objects}` : path,
        'impersonate-user': user.name,
        ...(body && { 'content-type': 'application/json' }),
      },
      { endStream: !body },
    );
    let status = 0;
    stream.on('response', (response) => {
      status = response[':status'] ?? 0;
    });
    stream.on('end', () => resolve(status));
    stream.on('error', reject);
    stream.resume();
    if (body) stream.end(body);
  });
}
