import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchContext } from './bench-context.ts';
import type { Measurement } from './measurement.ts';

/** The store without a server around it: how much of a write is the store's, and how long loading takes. */
export async function storeFigure(context: BenchContext): Promise<Measurement[]> {
  const directory = context.newDirectory();
  const measurements: Measurement[] = [];
  for (const part of ['write', 'load'] as const) {
    context.say(`the store alone: ${part}`);
    const child = fork(join(import.meta.dirname, 'store.ts'), [part, directory]);
    child.on('message', (measurement: Measurement) => measurements.push(measurement));
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error(`the store could not be measured: exit code ${code}`);
  }
  return measurements;
}
