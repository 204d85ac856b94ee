/** The cost of CRDs: as many as KubeFleet has, and 1,000. */
import type { Bench, BenchContext } from '../bench-context.ts';
import type { Measurement } from '../results/measurement.ts';
import { memoryMibOf } from '../measured/process-usage.ts';
import { loopDelay, measure, type Run } from '../run.ts';

/** As many as KubeFleet has. */
const fleetCount = 36;
const manyCount = 1000;
const requests = 20_000;

export async function fleetDefinitionsFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress(`${fleetCount} definitions`);
  const run = await context.withFlotilla(({ server, load }) =>
    measure(server, load, { work: 'define', first: 1, count: fleetCount, inFlight: 4 }),
  );
  const what = `${fleetCount} created and served`;
  return [
    { figure: 'definitions', what, value: run.seconds * 1000, unit: 'ms', bar: { atMost: 1000 } },
    { figure: 'definitions', what: 'created to served, p99', value: run.p99Ms, unit: 'ms', bar: { atMost: 50 } },
    loopDelay('definitions', '', run),
  ];
}

export async function manyDefinitionsFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress(`${manyCount.toLocaleString('en')} definitions`);
  return context.withFlotilla(async (bench) => {
    const { server, load } = bench;
    await load.run({ work: 'define', first: 0, count: 1, inFlight: 1 });
    await load.run({ work: 'create', kind: 'Crate', prefix: 'object', count: 5000, inFlight: 64 });
    const before = await requestRuns(bench, 'before');
    const memoryBefore = memoryMibOf(server.pid);
    const run = await measure(server, load, { work: 'define', first: 1, count: manyCount, inFlight: 4 });
    const memory = memoryMibOf(server.pid) - memoryBefore;
    const after = await requestRuns(bench, 'after');
    const common = { figure: 'many-definitions' } as const;
    return [
      { ...common, what: 'created and served', value: run.seconds * 1000, unit: 'ms', bar: { atMost: 20_000 } },
      { ...common, what: 'memory that they take', value: memory, unit: 'MiB', bar: { atMost: 300 } },
      loopDelay(common.figure, 'while they come: ', run),
      ...slowdown('a get', before.get, after.get),
      ...slowdown('a create', before.create, after.create),
    ];
  });
}

interface RequestRuns {
  readonly get: Run;
  readonly create: Run;
}

async function requestRuns({ server, load }: Bench, prefix: string): Promise<RequestRuns> {
  const get = { work: 'get', kind: 'Crate', prefix: 'object', objects: 5000, count: requests, inFlight: 64 } as const;
  const create = { work: 'create', kind: 'Crate', prefix, count: requests / 2, inFlight: 64 } as const;
  // Warms up first, so that only steady requests count.
  await load.run({ ...get, count: requests / 4 });
  const got = await measure(server, load, get);
  await load.run({ ...create, prefix: `${prefix}-warm`, count: requests / 4 });
  return { get: got, create: await measure(server, load, create) };
}

/** With many CRDs a request may cost a tenth more. */
function slowdown(what: string, before: Run, after: Run): Measurement[] {
  const value = (after.serverCpuMs / before.serverCpuMs) * 100;
  return [
    { figure: 'many-definitions', what: `CPU of ${what}, as before`, value, unit: 'percent', bar: { atMost: 110 } },
  ];
}
