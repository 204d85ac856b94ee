import type { LoadProcess } from './measured/load-process.ts';
import type { LoadResult, Workload } from './load/workload.ts';
import type { Measurement } from './results/measurement.ts';
import type { MeasuredServer } from './measured/measured-server.ts';
import { cpuMsOf, machineCpuMs, wereCoresFull } from './measured/process-usage.ts';

/** The result of a workload, and its cost on the server. */
export interface Run extends LoadResult {
  readonly serverCpuMs: number;
  readonly loopDelayMs: number;
  readonly isCrowded: boolean;
}

export async function measure(server: MeasuredServer, load: LoadProcess, workload: Workload): Promise<Run> {
  await server.loopDelayMs();
  const [cpu, machine, begin] = [cpuMsOf(server.pid), machineCpuMs(), performance.now()];
  const result = await load.run(workload);
  const serverCpuMs = cpuMsOf(server.pid) - cpu;
  const isCrowded = wereCoresFull(machineCpuMs() - machine, performance.now() - begin);
  return { ...result, serverCpuMs, isCrowded, loopDelayMs: await server.loopDelayMs() };
}

const loopDelayBarMs = 20;

export function loopDelay(figure: string, when: string, { loopDelayMs }: Run, floor?: Run): Measurement {
  return {
    figure,
    what: `${when}event-loop delay p99`,
    value: loopDelayMs,
    unit: 'ms',
    bar: { atMost: loopDelayBarMs },
    ...(floor && { floor: floor.loopDelayMs }),
  };
}
