import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { stageAll } from '../../scripts/pack.ts';
import type { BenchContext } from '../bench-context.ts';
import { measurementsOf } from '../measured/measuring-process.ts';
import type { Measurement } from '../results/measurement.ts';
import { median } from '../results/percentiles.ts';

const turns = 5;

/** `startFleet` of the published packages, as a test of a user calls it. */
export async function startFleetFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('compiling the packages');
  const folder = context.newDirectory();
  const packages = (await stageAll(folder)).filter((path) => basename(path) !== 'flotilla');
  linkModules(join(folder, 'node_modules'), packages);
  const all: Measurement[][] = [];
  for (let turn = 0; turn < turns; turn++) {
    context.progress(`startFleet, ${turn + 1} of ${turns}`);
    all.push(await measurementsOf('start-fleet.ts', join(folder, 'stage/fleet/dist/index.js')));
  }
  const [first = []] = all;
  return first.map((row, index) => ({
    ...row,
    value: median(all.map((rows) => rows[index]?.value ?? 0)),
    isCrowded: all.some((rows) => rows[index]?.isCrowded === true),
  }));
}

/** What `npm install` would put there: our packages, and the libraries that they need. */
function linkModules(folder: string, packages: readonly string[]): void {
  mkdirSync(join(folder, '@flotilla'), { recursive: true });
  for (const path of packages) symlinkSync(path, join(folder, '@flotilla', basename(path)));
  const installed = resolve(import.meta.dirname, '../../node_modules');
  const libraries = readdirSync(installed).filter((name) => !name.startsWith('.') && name !== '@flotilla');
  for (const name of libraries) symlinkSync(join(installed, name), join(folder, name));
}
