/** Time of `startFleet({ members: 3 })` after its import, in a new process. The argument is the file to import. */
import { pathToFileURL } from 'node:url';
import type * as fleets from '@flotilla/fleet';
import { machineCpuMs, wereCoresFull } from '../measured/process-usage.ts';

const { startFleet } = (await import(pathToFileURL(process.argv[2] ?? '').href)) as typeof fleets;

async function startedAfter(): Promise<{ readonly ms: number; readonly isCrowded: boolean }> {
  const [begin, machine] = [performance.now(), machineCpuMs()];
  const fleet = await startFleet({ members: 3 });
  const ms = performance.now() - begin;
  const isCrowded = wereCoresFull(machineCpuMs() - machine, ms);
  await fleet.stop();
  return { ms, isCrowded };
}

const first = await startedAfter();
const next = await startedAfter();
const common = { figure: 'start-fleet', unit: 'ms' } as const;
process.send?.({
  ...common,
  what: 'first in a process',
  value: first.ms,
  bar: { atMost: 200 },
  isCrowded: first.isCrowded,
});
process.send?.({ ...common, what: 'the next', value: next.ms, isCrowded: next.isCrowded });
process.disconnect?.();
