import { percentile } from '../results/percentiles.ts';
import type { LoadResult } from './workload.ts';

/** Calls `act` `count` times with so many in flight, and measures. `act` gets the number of its worker and of its turn. */
export async function inParallel(
  count: number,
  inFlight: number,
  act: (worker: number, turn: number) => Promise<unknown>,
): Promise<LoadResult> {
  const taken = new Float64Array(count);
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const work = async (worker: number): Promise<void> => {
    for (let turn = worker; turn < count; turn += inFlight) {
      const start = performance.now();
      await act(worker, turn);
      taken[turn] = performance.now() - start;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, worker) => work(worker)));
  return resultOf(count, (performance.now() - begin) / 1000, taken, process.cpuUsage(cpu));
}

export function resultOf(count: number, seconds: number, taken: Float64Array, cpu: NodeJS.CpuUsage): LoadResult {
  return {
    seconds,
    perSecond: count / seconds,
    p50Ms: percentile(taken, 0.5),
    p99Ms: percentile(taken, 0.99),
    clientCpuMs: (cpu.user + cpu.system) / 1000,
  };
}
