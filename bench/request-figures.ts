/** Gets, creates and puts at 1, 16 and 64 in flight, on our server and on the floor. */
import type { Bench, BenchContext } from './bench-context.ts';
import type { Workload } from './load/workload.ts';
import type { Bar, Measurement } from './measurement.ts';
import { loopDelay, measure, type Run } from './run.ts';

const objects = 5000;
const warmUpCount = 3000;
const inFlights = [1, 16, 64] as const;
type InFlight = (typeof inFlights)[number];

interface RequestFigure {
  readonly name: 'get' | 'create' | 'put';
  readonly count: Readonly<Record<InFlight, number>>;
  readonly rateBar: Bar;
  readonly cpuBar: Bar;
  readonly kubeApiserverRate: Readonly<Record<InFlight, number>>;
  readonly kubeApiserverCpuMs?: number;
}

const writes = { count: { 1: 1500, 16: 6000, 64: 12_000 }, rateBar: { atLeast: 3500 }, cpuBar: { atMost: 0.25 } };

const get: RequestFigure = {
  name: 'get',
  count: { 1: 4000, 16: 16_000, 64: 32_000 },
  rateBar: { atLeast: 9000 },
  cpuBar: { atMost: 0.08 },
  kubeApiserverRate: { 1: 613, 16: 1724, 64: 2343 },
  kubeApiserverCpuMs: 0.7,
};
const create: RequestFigure = {
  name: 'create',
  ...writes,
  kubeApiserverRate: { 1: 382, 16: 967, 64: 1163 },
  kubeApiserverCpuMs: 1.4,
};
const put: RequestFigure = { name: 'put', ...writes, kubeApiserverRate: { 1: 316, 16: 821, 64: 996 } };

export const getFigure = (context: BenchContext): Promise<Measurement[]> => run(context, get);
export const createFigure = (context: BenchContext): Promise<Measurement[]> => run(context, create);
export const putFigure = (context: BenchContext): Promise<Measurement[]> => run(context, put);

type Runs = ReadonlyMap<InFlight, Run>;

async function run(context: BenchContext, figure: RequestFigure): Promise<Measurement[]> {
  context.say(`${figure.name} on the floor`);
  const floor = await context.withFloor((bench) => runAll(bench, figure));
  const ours = await context.withFlotilla((bench) => runAll(bench, figure, context.say));
  return inFlights.flatMap((inFlight) => rows(figure, inFlight, ours, floor));
}

async function runAll({ server, load }: Bench, figure: RequestFigure, say?: (text: string) => void): Promise<Runs> {
  // Also warms up both sides: what counts is how a server runs, not how it gets going.
  await load.run({ work: 'create', prefix: 'object', count: objects, inFlight: 64 });
  await load.run({ work: 'prepare-put', prefix: 'object', objects, inFlight: 64 });
  await load.run(workloadOf(figure, 64, 'warm', warmUpCount));
  const runs = new Map<InFlight, Run>();
  for (const inFlight of inFlights) {
    say?.(`${figure.name} with ${inFlight} in flight`);
    runs.set(
      inFlight,
      await measure(server, load, workloadOf(figure, inFlight, `in-flight-${inFlight}`, figure.count[inFlight])),
    );
  }
  return runs;
}

function workloadOf({ name }: RequestFigure, inFlight: InFlight, createdPrefix: string, count: number): Workload {
  return name === 'create'
    ? { work: name, prefix: createdPrefix, count, inFlight }
    : { work: name, prefix: 'object', objects, count, inFlight };
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
      ...(isMain && { bar: figure.rateBar }),
    },
    {
      ...common,
      what: `${inFlight} in flight: server CPU`,
      value: run.serverCpuMs / count,
      unit: 'ms',
      floor: floor.serverCpuMs / count,
      ...(isMain && { bar: figure.cpuBar }),
      ...(isMain && figure.kubeApiserverCpuMs !== undefined && { kubeApiserver: figure.kubeApiserverCpuMs }),
    },
    { ...common, what: `${inFlight} in flight: client CPU`, value: run.clientCpuMs / count, unit: 'ms' },
    { ...common, what: `${inFlight} in flight: latency p99`, value: run.p99Ms, unit: 'ms', floor: floor.p99Ms },
    loopDelay(figure.name, `${inFlight} in flight: `, run, floor),
  ];
}
