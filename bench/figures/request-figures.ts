/** Gets, creates and puts at 1, 16 and 64 in flight, of ConfigMaps and of custom resources, on our server and on the floor. */
import type { Bench, BenchContext } from '../bench-context.ts';
import type { LoadedKind } from '../load/loaded-kind.ts';
import type { Workload } from '../load/workload.ts';
import type { Bar, Measurement } from '../results/measurement.ts';
import { loopDelay, measure, type Run } from '../run.ts';

const objects = 5000;
const warmUpCount = 3000;
const inFlights = [1, 16, 64] as const;
type InFlight = (typeof inFlights)[number];

interface RequestFigure {
  readonly name: string;
  readonly work: 'get' | 'create' | 'put';
  readonly kind: LoadedKind;
  readonly count: Readonly<Record<InFlight, number>>;
  readonly rateBar?: Bar;
  readonly cpuBar?: Bar;
  readonly kubeApiserverRate: Readonly<Record<InFlight, number>>;
  readonly kubeApiserverCpuMs?: number;
}

const writes = {
  kind: 'ConfigMap',
  count: { 1: 1500, 16: 6000, 64: 12_000 },
  rateBar: { atLeast: 3500 },
  cpuBar: { atMost: 0.25 },
} as const;

const get: RequestFigure = {
  name: 'get',
  work: 'get',
  kind: 'ConfigMap',
  count: { 1: 4000, 16: 16_000, 64: 32_000 },
  rateBar: { atLeast: 9000 },
  cpuBar: { atMost: 0.08 },
  kubeApiserverRate: { 1: 613, 16: 1724, 64: 2343 },
  kubeApiserverCpuMs: 0.7,
};
const create: RequestFigure = {
  name: 'create',
  work: 'create',
  ...writes,
  kubeApiserverRate: { 1: 382, 16: 967, 64: 1163 },
  kubeApiserverCpuMs: 1.4,
};
const put: RequestFigure = { name: 'put', work: 'put', ...writes, kubeApiserverRate: { 1: 316, 16: 821, 64: 996 } };

const customGet: RequestFigure = {
  ...get,
  name: 'custom-get',
  kind: 'Crate',
  kubeApiserverRate: { 1: 465, 16: 1187, 64: 1808 },
  kubeApiserverCpuMs: 0.95,
};
const customCreate: RequestFigure = {
  ...create,
  name: 'custom-create',
  kind: 'Crate',
  rateBar: { atLeast: 2500 },
  cpuBar: { atMost: 0.35 },
  kubeApiserverRate: { 1: 250, 16: 553, 64: 571 },
  kubeApiserverCpuMs: 3.1,
};
const { rateBar: _rate, cpuBar: _cpu, ...unbarred } = put;
const customPut: RequestFigure = {
  ...unbarred,
  name: 'custom-put',
  kind: 'Crate',
  kubeApiserverRate: { 1: 205, 16: 408, 64: 452 },
};

export const customGetFigure = (context: BenchContext): Promise<Measurement[]> => run(context, customGet);
export const customCreateFigure = (context: BenchContext): Promise<Measurement[]> => run(context, customCreate);
export const customPutFigure = (context: BenchContext): Promise<Measurement[]> => run(context, customPut);
export const getFigure = (context: BenchContext): Promise<Measurement[]> => run(context, get);
export const createFigure = (context: BenchContext): Promise<Measurement[]> => run(context, create);
export const putFigure = (context: BenchContext): Promise<Measurement[]> => run(context, put);

type Runs = ReadonlyMap<InFlight, Run>;

async function run(context: BenchContext, figure: RequestFigure): Promise<Measurement[]> {
  context.progress(`${figure.name} on the floor`);
  // The floor has no CRDs. A ConfigMap of the same size costs it the same.
  const floor = await context.withFloor((bench) => runAll(bench, { ...figure, kind: 'ConfigMap' }));
  const ours = await context.withFlotilla((bench) => runAll(bench, figure, context.progress));
  return inFlights.flatMap((inFlight) => rows(figure, inFlight, ours, floor));
}

async function runAll(
  { server, load }: Bench,
  figure: RequestFigure,
  progress?: (text: string) => void,
): Promise<Runs> {
  // Also warms up both sides, so that only steady requests count.
  const { kind } = figure;
  if (kind === 'Crate') await load.run({ work: 'define', first: 0, count: 1, inFlight: 1 });
  await load.run({ work: 'create', kind, prefix: 'object', count: objects, inFlight: 64 });
  await load.run({ work: 'prepare-put', kind, prefix: 'object', objects, inFlight: 64 });
  await load.run(workloadOf(figure, 64, 'warm', warmUpCount));
  const runs = new Map<InFlight, Run>();
  for (const inFlight of inFlights) {
    progress?.(`${figure.name} with ${inFlight} in flight`);
    runs.set(
      inFlight,
      await measure(server, load, workloadOf(figure, inFlight, `in-flight-${inFlight}`, figure.count[inFlight])),
    );
  }
  return runs;
}

function workloadOf({ work, kind }: RequestFigure, inFlight: InFlight, createdPrefix: string, count: number): Workload {
  return work === 'create'
    ? { work, kind, prefix: createdPrefix, count, inFlight }
    : { work, kind, prefix: 'object', objects, count, inFlight };
}

function rows(figure: RequestFigure, inFlight: InFlight, ours: Runs, floors: Runs): Measurement[] {
  const [run, floor] = [ours.get(inFlight), floors.get(inFlight)];
  if (!run || !floor) return [];
  const count = figure.count[inFlight];
  const isMain = inFlight === 64;
  const common = { figure: figure.name };
  return [
    {
      ...common,
      what: `${inFlight} in flight: rate`,
      value: run.perSecond,
      unit: 'per second',
      floor: floor.perSecond,
      kubeApiserver: figure.kubeApiserverRate[inFlight],
      isCrowded: run.isCrowded,
      ...(isMain && figure.rateBar && { bar: figure.rateBar }),
    },
    {
      ...common,
      what: `${inFlight} in flight: server CPU`,
      value: run.serverCpuMs / count,
      unit: 'ms',
      floor: floor.serverCpuMs / count,
      ...(isMain && figure.cpuBar && { bar: figure.cpuBar }),
      ...(isMain && figure.kubeApiserverCpuMs !== undefined && { kubeApiserver: figure.kubeApiserverCpuMs }),
    },
    { ...common, what: `${inFlight} in flight: client CPU`, value: run.clientCpuMs / count, unit: 'ms' },
    { ...common, what: `${inFlight} in flight: latency p99`, value: run.p99Ms, unit: 'ms', floor: floor.p99Ms },
    loopDelay(figure.name, `${inFlight} in flight: `, run, floor),
  ];
}
