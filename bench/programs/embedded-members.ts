/** Time of members to join a durable hub in the same process. The argument is the parent of the data directories. */
import { join } from 'node:path';
import { startFleet } from '@flotilla/fleet';
import type { Measurement } from '../results/measurement.ts';
import { median } from '../results/percentiles.ts';
import { machineCpuMs, wereCoresFull } from '../measured/process-usage.ts';

const members = 3;
const turns = 5;

interface Joined {
  readonly ms: number;
  readonly cpuMs: number;
  readonly isCrowded: boolean;
}

async function joinedAfter(dataDirectory: string): Promise<Joined> {
  const now = () => ({ at: performance.now(), cpu: process.cpuUsage(), machine: machineCpuMs() });
  let begin = now();
  const fleet = await startFleet({
    members,
    dataDirectory,
    progress: (step) => {
      if ('hub' in step) begin = now();
    },
  });
  const ms = performance.now() - begin.at;
  const { user, system } = process.cpuUsage(begin.cpu);
  const isCrowded = wereCoresFull(machineCpuMs() - begin.machine, ms);
  await fleet.stop();
  return { ms, cpuMs: (user + system) / 1000, isCrowded };
}

const directory = process.argv[2] ?? '';
const first = await joinedAfter(join(directory, 'first'));
// The first run also loads and compiles modules, so it is a figure of its own.
const all: Joined[] = [];
for (let turn = 0; turn < turns; turn++) all.push(await joinedAfter(join(directory, String(turn))));

const common = { figure: 'agents', unit: 'ms' } as const;
const measurements: Measurement[] = [
  {
    ...common,
    what: 'three in one process',
    value: median(all.map(({ ms }) => ms)),
    bar: { atMost: 100 },
    isCrowded: all.some(({ isCrowded }) => isCrowded),
  },
  { ...common, what: 'CPU of these three', value: median(all.map(({ cpuMs }) => cpuMs)) },
  { ...common, what: 'three in a new process', value: first.ms },
];
for (const measurement of measurements) process.send?.(measurement);
process.disconnect?.();
