/** Lists of 5,000 and 50,000 objects, and the memory of 50,000. */
import { manyObjects, type Bench, type BenchContext } from '../bench-context.ts';
import type { Measurement } from '../results/measurement.ts';
import { memoryMibOf } from '../measured/process-usage.ts';
import { loopDelay, measure, type Run } from '../run.ts';

export async function listFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('list of 5,000');
  const few = await context.withFlotilla(async (bench) => {
    await bench.load.run({ work: 'create', kind: 'ConfigMap', prefix: 'few', count: 5000, inFlight: 64 });
    return listed(bench, 20);
  });
  const { directory } = await context.filledDirectory();
  context.progress('list of 50,000');
  const many = await context.withFlotilla((bench) => listed(bench, 5), directory);
  return [
    ...rows('5,000', few, 20, { bar: { atMost: 40 }, kubeApiserver: 258 }),
    ...rows('50,000', many, 5, { bar: { atMost: 700 }, kubeApiserver: 6060 }),
  ];
}

async function listed({ server, load }: Bench, count: number): Promise<Run> {
  await load.run({ work: 'list', kind: 'ConfigMap', count: 3 });
  return measure(server, load, { work: 'list', kind: 'ConfigMap', count });
}

function rows(
  size: string,
  run: Run,
  count: number,
  compared: Pick<Measurement, 'bar' | 'kubeApiserver'>,
): Measurement[] {
  const common = { figure: 'list', unit: 'ms' } as const;
  return [
    {
      ...common,
      what: `${size}: median time to the last byte`,
      value: run.p50Ms,
      isCrowded: run.isCrowded,
      ...compared,
    },
    { ...common, what: `${size}: server CPU`, value: run.serverCpuMs / count },
    { ...common, what: `${size}: client CPU`, value: run.clientCpuMs / count },
    loopDelay('list', `${size}: `, run),
  ];
}

export async function memoryFigure(context: BenchContext): Promise<Measurement[]> {
  const { directory, memoryMib: written } = await context.filledDirectory();
  context.progress('memory after a restart');
  const restarted = await context.withFlotilla(({ server }) => Promise.resolve(memoryMibOf(server.pid)), directory);
  const what = `with ${manyObjects.toLocaleString('en')} objects`;
  const common = { figure: 'memory', unit: 'MiB', bar: { atMost: 400 } } as const;
  return [
    { ...common, what: `${what}, just written`, value: written, kubeApiserver: 2300 },
    { ...common, what: `${what}, after a restart`, value: restarted },
  ];
}
