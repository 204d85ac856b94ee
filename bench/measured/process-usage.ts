import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100;

/** CPU time of a process with all its threads, in milliseconds. */
export function cpuMsOf(pid: number): number {
  return cpuMsIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** The name of a process, in parentheses, may contain anything. User and system time are the 12th and 13th field after it. */
export function cpuMsIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

export function memoryMibOf(pid: number): number {
  return memoryMibIn(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

export function memoryMibIn(status: string): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kib) / 1024;
}

/** CPU time of the whole machine in milliseconds, without idle time and disk waits. */
export function machineCpuMs(): number {
  return machineCpuMsIn(readFileSync('/proc/stat', 'utf8'));
}

export function machineCpuMsIn(stat: string): number {
  const [user, nice, system, , , interrupts, softInterrupts] = stat
    .slice(0, stat.indexOf('\n'))
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const ticks = [user, nice, system, interrupts, softInterrupts].reduce<number>((sum, part) => sum + (part ?? 0), 0);
  return (ticks * 1000) / ticksPerSecond;
}

/** Whether all cores were busy for more than 90 % of the time. */
export function wereCoresFull(busyMs: number, elapsedMs: number, cores = availableParallelism()): boolean {
  return busyMs / (elapsedMs * cores) > 0.9;
}
