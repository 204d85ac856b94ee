import type { BenchContext } from '../bench-context.ts';
import { startAgent } from '../measured/measured-agent.ts';
import { withFleet, type MeasuredFleet } from '../measured/measured-fleet.ts';
import type { Measurement } from '../results/measurement.ts';
import { measurementsOf } from '../measured/measuring-process.ts';
import { median } from '../results/percentiles.ts';
import { cpuMsOf, machineCpuMs, wereCoresFull } from '../measured/process-usage.ts';

const names = ['member-1', 'member-2', 'member-3'];
const turns = 5;

/** From starting three agents until the hub reports all as joined. Medians of five, each with new servers. */
export async function agentsFigure(context: BenchContext): Promise<Measurement[]> {
  const joins: Join[] = [];
  for (let turn = 0; turn < turns; turn++) {
    context.progress(`three agent processes, ${turn + 1} of ${turns}`);
    joins.push(await withFleet(context, names, join));
  }
  const common = { figure: 'agents', unit: 'ms' } as const;
  const medianOf = (field: 'ms' | 'cpuMs'): number => median(joins.map((one) => one[field]));
  context.progress('three members in one process');
  return [
    {
      ...common,
      what: 'three processes joined',
      value: medianOf('ms'),
      bar: { atMost: 1200 },
      isCrowded: joins.some(({ isCrowded }) => isCrowded),
    },
    { ...common, what: 'CPU of an agent until then', value: medianOf('cpuMs') },
    ...(await measurementsOf('embedded-members.ts', context.newDirectory())),
  ];
}

interface Join {
  readonly ms: number;
  /** Of one agent. */
  readonly cpuMs: number;
  readonly isCrowded: boolean;
}

async function join({ clusters, allJoined }: MeasuredFleet): Promise<Join> {
  const joined = allJoined();
  const [machine, begin] = [machineCpuMs(), performance.now()];
  const agents = await Promise.all(clusters.map(({ access }) => startAgent(access)));
  try {
    await Promise.race([joined, ...agents.map(({ failed }) => failed)]);
    const ms = performance.now() - begin;
    const cpuMs = agents.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0) / agents.length;
    return { ms, cpuMs, isCrowded: wereCoresFull(machineCpuMs() - machine, ms) };
  } finally {
    await Promise.all(agents.map(({ stop }) => stop()));
  }
}
