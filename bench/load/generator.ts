/** The client of every figure, in a process of its own so that its CPU is not the server's. Messages start workloads. */
import type { ClientHttp2Session } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { fieldOf, namespace, nameOf } from './config-map.ts';
import { expectStatus, openConnections, send } from './connections.ts';
import { crateDefinition, cratesPath } from './crate.ts';
import { kindLoads, type LoadedKind } from './loaded-kind.ts';
import { inParallel } from './requests.ts';
import { watch } from './watches.ts';
import type { Answer, LoadResult, Target, Workload } from './workload.ts';

const target = JSON.parse(process.argv[2] ?? '{}') as Target;
const connections = await openConnections(target);
/** Watches have connections of their own, like informers of other processes. */
let watching: ClientHttp2Session[] | undefined;
/** Versions of the objects that `put` replaces; each object belongs to one worker. */
let versions: string[] = [];

await send(
  at(0),
  'POST',
  '/api/v1/namespaces',
  Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })),
);
process.on('message', (workload: Workload) => void perform(workload));
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function perform(workload: Workload): Promise<void> {
  const answer = await run(workload).then(
    (result): Answer => ({ result }),
    (error: Error): Answer => ({ error: error.message }),
  );
  process.send?.(answer);
}

async function run(workload: Workload): Promise<LoadResult> {
  switch (workload.work) {
    case 'define':
      return define(workload);
    case 'create':
      return create(workload);
    case 'get':
      return inParallel(workload.count, workload.inFlight, (worker) => {
        const number = Math.floor(Math.random() * workload.objects);
        return expectStatus(at(worker), 200, 'GET', pathOf(workload.kind, workload.prefix, number));
      });
    case 'prepare-put':
      return preparePut(workload);
    case 'put':
      return put(workload);
    case 'list':
      return list(workload);
    case 'watch':
      watching ??= await openConnections(target);
      return watch(connections, watching, workload);
  }
}

function at(worker: number): ClientHttp2Session {
  return connections[worker % connections.length]!;
}

function pathOf(kind: LoadedKind, prefix: string, number: number): string {
  return `${kindLoads[kind].path}/${nameOf(prefix, number)}`;
}

async function define({ first, count, inFlight }: Extract<Workload, { work: 'define' }>): Promise<LoadResult> {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  return inParallel(count, inFlight, async (worker, turn) => {
    await expectStatus(at(worker), 201, 'POST', definitions, crateDefinition(first + turn));
    while ((await send(at(worker), 'GET', `${cratesPath(first + turn)}?limit=1`)).status !== 200) await sleep(2);
  });
}

function create({ kind, prefix, count, inFlight }: Extract<Workload, { work: 'create' }>): Promise<LoadResult> {
  const { path, body } = kindLoads[kind];
  return inParallel(count, inFlight, (worker, turn) =>
    expectStatus(at(worker), 201, 'POST', path, body(nameOf(prefix, turn), turn)),
  );
}

async function preparePut({
  kind,
  prefix,
  objects,
  inFlight,
}: Extract<Workload, { work: 'prepare-put' }>): Promise<LoadResult> {
  versions = Array.from({ length: objects }, () => '');
  return inParallel(objects, inFlight, async (worker, turn) => {
    const { first } = await expectStatus(at(worker), 200, 'GET', pathOf(kind, prefix, turn));
    versions[turn] = fieldOf(first, 'resourceVersion');
  });
}

/** Replaces with optimistic concurrency: each worker cycles through objects of its own. */
async function put({
  kind,
  prefix,
  count,
  objects,
  inFlight,
}: Extract<Workload, { work: 'put' }>): Promise<LoadResult> {
  const rounds = Math.floor(objects / inFlight) * inFlight;
  return inParallel(count, inFlight, async (worker, turn) => {
    const number = turn % rounds;
    const body = kindLoads[kind].body(nameOf(prefix, number), turn + 1, versions[number]);
    const { first } = await expectStatus(at(worker), 200, 'PUT', pathOf(kind, prefix, number), body);
    versions[number] = fieldOf(first, 'resourceVersion');
  });
}

async function list({ kind, count }: Extract<Workload, { work: 'list' }>): Promise<LoadResult> {
  let bytes = 0;
  const result = await inParallel(count, 1, async () => {
    ({ bytes } = await expectStatus(at(0), 200, 'GET', kindLoads[kind].path));
  });
  return { ...result, bytes };
}
