/** How long members take to join a durable hub in whose process they live. The argument is where directories may be made. */
import { join } from 'node:path';
import { startFleet } from '@flotilla/fleet';
import type { Measurement } from './measurement.ts';
import { median } from './percentiles.ts';

const members = 3;
const turns = 5;

interface Joined {
  readonly ms: number;
  readonly cpuMs: number;
}

async function joinedAfter(dataDirectory: string): Promise<Joined> {
  let [begin, cpu] = [0, process.cpuUsage()];
  const fleet = await startFleet({
    members,
    dataDirectory,
    progress: (step) => {
      if ('hub' in step) [begin, cpu] = [performance.now(), process.cpuUsage()];
    },
  });
  const [ms, { user, system }] = [performance.now() - begin, process.cpuUsage(cpu)];
  await fleet.stop();
  return { ms, cpuMs: (user + system) / 1000 };
}

const directory = process.argv[2] ?? '';
// Not the first: what is loaded and compiled once is part of the start of a process.
const all: Joined[] = [];
for (let turn = 0; turn <= turns; turn++) all.push(await joinedAfter(join(directory, String(turn))));
const [first, ...others] = all;
const common = { figure: 'agents', unit: 'ms' } as const;
const measurements: Measurement[] = [
  { ...common, what: 'three in one process', value: median(others.map(({ ms }) => ms)), bar: { atMost: 100 } },
  { ...common, what: 'CPU of these', value: median(others.map(({ cpuMs }) => cpuMs)) },
  { ...common, what: 'three in a new process', value: first?.ms ?? 0 },
];
for (const measurement of measurements) process.send?.(measurement);
process.disconnect?.();
