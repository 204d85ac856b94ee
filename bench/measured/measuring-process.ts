import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fleetProcessOptions, type ProcessOptions } from './fleet-process.ts';
import type { Measurement } from '../results/measurement.ts';

/** Runs one of `programs/` in a process of its own, and collects the measurements that it sends. */
export function measurementsOf(file: string, ...args: string[]): Promise<Measurement[]> {
  return measured(file, args);
}

/** The same, in a process like that of `flotilla up`. */
export function fleetMeasurementsOf(file: string, ...args: string[]): Promise<Measurement[]> {
  return measured(file, args, fleetProcessOptions());
}

async function measured(
  file: string,
  args: readonly string[],
  options: Partial<ProcessOptions> = {},
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  const { execArgv = process.execArgv, env } = options;
  const child = fork(join(import.meta.dirname, '../programs', file), args, { execArgv: [...execArgv], env });
  child.on('message', (measurement: Measurement) => measurements.push(measurement));
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`${file} failed with exit code ${code}`);
  return measurements;
}
