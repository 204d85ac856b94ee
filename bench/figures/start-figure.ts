import { join } from 'node:path';
import type { BenchContext } from '../bench-context.ts';
import type { Measurement } from '../results/measurement.ts';
import { startFlotilla } from '../measured/measured-server.ts';
import { median } from '../results/percentiles.ts';

/** From starting the process until the server is ready and its kubeconfig written. Medians of five. */
export async function startFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('first starts');
  const first = await medianOf(5, () => {
    const directory = context.newDirectory();
    return readyMs(directory, join(directory, '..', 'compile-cache'));
  });

  context.progress('second starts');
  const directory = context.newDirectory();
  const cache = join(directory, '..', 'compile-cache');
  await readyMs(directory, cache);
  const second = await medianOf(5, () => readyMs(directory, cache));

  const filled = await context.filledDirectory();
  context.progress('starts with 50,000 objects');
  const many = await medianOf(5, () => readyMs(filled.directory, cache));

  const common = { figure: 'start', unit: 'ms' } as const;
  return [
    { ...common, what: 'very first start', value: first, bar: { atMost: 1500 }, kubeApiserver: 2400 },
    { ...common, what: 'second start, empty', value: second, bar: { atMost: 500 }, kubeApiserver: 2400 },
    { ...common, what: 'second start, 50,000 objects', value: many, bar: { atMost: 1500 } },
  ];
}

async function medianOf(count: number, measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let turn = 0; turn < count; turn++) values.push(await measure());
  return median(values);
}

/** The compile cache of Node lasts between starts. A very first start has none. */
async function readyMs(directory: string, compileCache: string): Promise<number> {
  const server = await startFlotilla(directory, { NODE_COMPILE_CACHE: compileCache });
  await server.stop();
  return server.readyMs;
}
