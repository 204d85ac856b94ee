import type { Measurement } from '../results/measurement.ts';
import { cpuMsOf, machineCpuMs, wereCoresFull } from './process-usage.ts';

/** What a piece of work took in this process. */
export interface Timed {
  readonly ms: number;
  readonly cpuMs: number;
  readonly isCrowded: boolean;
}

export async function timed(work: () => Promise<void>): Promise<Timed> {
  const [begin, cpu, machine] = [performance.now(), cpuMsOf(process.pid), machineCpuMs()];
  await work();
  const ms = performance.now() - begin;
  return { ms, cpuMs: cpuMsOf(process.pid) - cpu, isCrowded: wereCoresFull(machineCpuMs() - machine, ms) };
}

export function inTime(figure: string, what: string, { ms, isCrowded }: Timed, atMost: number): Measurement {
  return { figure, what, unit: 'ms', value: ms, bar: { atMost }, isCrowded };
}
