import type { BenchContext } from './bench-context.ts';
import type { Measurement } from './measurement.ts';
import { measurementsOf } from './measuring-process.ts';

/** A durable fleet of 1,000 members in one process: how soon it is there, and what it costs when nothing happens. */
export async function fleetStartFigure(context: BenchContext): Promise<Measurement[]> {
  context.say('1,000 members join');
  return measurementsOf('thousand-members.ts', context.newDirectory());
}

export async function fleetIdleFigure(context: BenchContext): Promise<Measurement[]> {
  context.say('1,000 members do nothing for a minute');
  return measurementsOf('thousand-members.ts', context.newDirectory(), 'idle');
}
