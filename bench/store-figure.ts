import type { BenchContext } from './bench-context.ts';
import { measurementsOf } from './measuring-process.ts';
import type { Measurement } from './measurement.ts';

/** The store without a server around it: how much of a write is the store's, and how long loading takes. */
export async function storeFigure(context: BenchContext): Promise<Measurement[]> {
  const directory = context.newDirectory();
  const measurements: Measurement[] = [];
  for (const part of ['write', 'load']) {
    context.say(`the store alone: ${part}`);
    measurements.push(...(await measurementsOf('store.ts', part, directory)));
  }
  return measurements;
}
