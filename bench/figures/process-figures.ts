/** Figures that a process of their own measures. */
import type { BenchContext } from '../bench-context.ts';
import { fleetMeasurementsOf, measurementsOf } from '../measured/measuring-process.ts';
import type { Measurement } from '../results/measurement.ts';

/** CPU of one authorization decision. */
export function authorizeFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('decisions with 1,000 roles and 1,000 bindings');
  return measurementsOf('authorize.ts');
}

export async function informerFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('an informer of 100,000 objects over HTTP');
  const remote = await context.withFlotilla(({ server }) =>
    measurementsOf('informer.ts', JSON.stringify(server.target)),
  );
  context.progress('an informer of 100,000 objects in process');
  return [...remote, ...(await measurementsOf('informer.ts'))];
}

/** The store without a server: its part of a write, and how long loading takes. */
export async function storeFigure(context: BenchContext): Promise<Measurement[]> {
  const directory = context.newDirectory();
  const measurements: Measurement[] = [];
  for (const part of ['write', 'load']) {
    context.progress(`the store alone: ${part}`);
    measurements.push(...(await measurementsOf('store.ts', part, directory)));
  }
  return measurements;
}

/** A durable fleet of 1,000 members in one process: how long its start takes. */
export async function fleetStartFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('1,000 members join');
  return measurementsOf('thousand-members.ts', context.newDirectory());
}

/** What the same fleet costs while no object changes. */
export async function fleetIdleFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('1,000 members do nothing for a minute');
  return measurementsOf('thousand-members.ts', context.newDirectory(), 'idle');
}

/** Workloads on the members of a durable fleet: how long until they are Available, and their memory. */
export async function workloadsFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('1,000 Deployments on 100 members');
  return measurementsOf('workloads.ts', context.newDirectory());
}

/** OCM Placements on a durable hub. */
export async function ocmFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('OCM Placements over 1,000 clusters');
  const placements = await measurementsOf('ocm.ts', 'placements', context.newDirectory());
  context.progress('2,000 ManagedClusters with heartbeats');
  const resting = await measurementsOf('ocm.ts', 'rest', context.newDirectory());
  context.progress('2,000 members, mirrored as ManagedClusters');
  return [...placements, ...resting, ...(await measurementsOf('ocm.ts', 'mirrors', context.newDirectory()))];
}

/** Placements on few members, and until one is Available after a restart. */
export async function placementsFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('placements on 3 and 10 members');
  const few = await fleetMeasurementsOf('placements.ts', 'small', context.newDirectory());
  context.progress('placements after a restart');
  return [...few, ...(await fleetMeasurementsOf('placements.ts', 'restart', context.newDirectory()))];
}

/** Placements on 100 of 1,000 members, and a restart with them. */
export async function largePlacementsFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('placements on 100 of 1,000 members');
  return fleetMeasurementsOf('placements.ts', 'large', context.newDirectory());
}

/** 1,000 placements on 100 of 1,000 members each. */
export async function publishedPlacementsFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('1,000 placements on 100 of 1,000 members each');
  return fleetMeasurementsOf('placements.ts', 'published', context.newDirectory());
}

/** Staged update runs over 100 members, a drain, and what runs cost that wait. */
export async function runsFigure(context: BenchContext): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const part of ['staged', 'drain', 'waiting']) {
    context.progress(`staged update runs: ${part}`);
    measurements.push(...(await fleetMeasurementsOf('runs.ts', part, context.newDirectory())));
  }
  return measurements;
}
