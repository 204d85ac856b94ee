import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchContext } from '../bench-context.ts';
import { command } from '../measured/measured-server.ts';
import { cpuMsOf, machineCpuMs, memoryMibOf, wereCoresFull } from '../measured/process-usage.ts';
import type { Measurement } from '../results/measurement.ts';

/** The sizes of fleets, with the time in which each must be ready. */
const sizes = [
  { members: 3, atMost: 1000 },
  { members: 100, atMost: 3000 },
  { members: 1000, atMost: 10_000 },
];

interface Started {
  readonly members: number;
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly memoryMib: number;
  readonly stopMs: number;
  readonly isCrowded: boolean;
}

/** `flotilla up` on the durable store, from starting the process until all members have joined. */
export async function upFigure(context: BenchContext): Promise<Measurement[]> {
  const started: Started[] = [];
  for (const { members } of sizes) {
    context.progress(`flotilla up --members ${members}`);
    started.push(await up(context.newDirectory(), members));
  }
  const common = { figure: 'up', unit: 'ms' } as const;
  const [small, , large] = started;
  const perMember = (part: 'cpuMs' | 'memoryMib'): number =>
    ((large?.[part] ?? 0) - (small?.[part] ?? 0)) / ((large?.members ?? 0) - (small?.members ?? 0));
  return [
    ...started.map(({ members, readyMs, isCrowded }, index) => ({
      ...common,
      what: `ready with ${members.toLocaleString('en')} members`,
      value: readyMs,
      bar: { atMost: sizes[index]?.atMost ?? 0 },
      isCrowded,
    })),
    { ...common, what: 'CPU to start a member', value: perMember('cpuMs'), bar: { atMost: 10 } },
    { ...common, what: 'memory of a member', unit: 'MiB', value: perMember('memoryMib'), bar: { atMost: 1 } },
    { ...common, what: 'SIGINT to exit, 1,000 members', value: large?.stopMs ?? 0, bar: { atMost: 1000 } },
  ];
}

async function up(directory: string, members: number): Promise<Started> {
  const [begin, machine] = [performance.now(), machineCpuMs()];
  const args = ['up', '--members', String(members), '--data-dir', directory, '--port', '0'];
  const kubeconfig = join(directory, '..', 'kubeconfig');
  const child = spawn(command, [...args, '--write-kubeconfig', kubeconfig], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += String(text);
    if (output.includes('have joined')) break;
  }
  const readyMs = performance.now() - begin;
  const isCrowded = wereCoresFull(machineCpuMs() - machine, readyMs);
  const pid = child.pid ?? 0;
  const usage = { cpuMs: cpuMsOf(pid), memoryMib: memoryMibOf(pid) };
  const stopping = performance.now();
  child.kill('SIGINT');
  await exited;
  return { members, readyMs, ...usage, stopMs: performance.now() - stopping, isCrowded };
}
