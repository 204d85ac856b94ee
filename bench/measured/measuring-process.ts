import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Measurement } from '../results/measurement.ts';

/** Runs one of `programs/` in a process of its own, and collects the measurements that it sends. */
export async function measurementsOf(file: string, ...args: string[]): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  const child = fork(join(import.meta.dirname, '../programs', file), args);
  child.on('message', (measurement: Measurement) => measurements.push(measurement));
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`${file} failed with exit code ${code}`);
  return measurements;
}
