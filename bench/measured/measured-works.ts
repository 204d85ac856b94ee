/** A durable hub, a cluster and an agent, each in a process of its own, and Works to apply. */
import { works } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import type { BenchContext } from '../bench-context.ts';
import { startAgent, type Launch, type LoopDelay, type MeasuredAgent } from './measured-agent.ts';
import { withFleet, type MeasuredCluster } from './measured-fleet.ts';
import { cpuMsOf, machineCpuMs, memoryMibOf, wereCoresFull } from './process-usage.ts';
import { workOfThree } from './work-of-three.ts';
import { WorkReports } from './work-reports.ts';

export interface WorksScene {
  readonly hub: Client;
  readonly hubPid: number;
  readonly cluster: MeasuredCluster;
  readonly agent: MeasuredAgent;
  readonly reports: WorkReports;
}

/** Runs `use` with a member that has joined, and stops all processes. */
export function withMember<T>(
  context: BenchContext,
  launch: Launch,
  use: (scene: WorksScene) => Promise<T>,
): Promise<T> {
  return withFleet(context, ['member'], async ({ hub, hubClient, clusters, allJoined }) => {
    const [cluster] = clusters;
    if (cluster === undefined) throw new Error('the fleet has no member');
    const agent = await startAgent(cluster.access, launch);
    const reports = new WorkReports(hubClient, cluster.name);
    try {
      await Promise.race([allJoined(), agent.failed]);
      return await Promise.race([use({ hub: hubClient, hubPid: hub.pid, cluster, agent, reports }), agent.failed]);
    } finally {
      await reports.stop();
      await agent.stop();
    }
  });
}

/** Creates a Work of three objects. Resolves when the hub reports them as available. */
export async function applyOne({ hub, cluster, reports }: WorksScene, name: string): Promise<void> {
  const reported = reports.of(name);
  await hub.create(works, workOfThree(cluster.name, name));
  await reported;
}

const inFlight = 16;

/** Creates Works as fast as the hub accepts them. Resolves when the hub reports all as available. */
export async function applyMany({ hub, cluster, reports }: WorksScene, names: readonly string[]): Promise<void> {
  const reported = names.map((name) => reports.of(name));
  const waiting = names.values();
  const worker = async (): Promise<void> => {
    for (const name of waiting) await hub.create(works, workOfThree(cluster.name, name));
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  await Promise.all(reported);
}

/** Time of a run, and its cost in each of the three processes. */
export interface WorksRun<T> {
  readonly result: T;
  readonly ms: number;
  readonly agentCpuMs: number;
  readonly hubCpuMs: number;
  readonly clusterCpuMs: number;
  /** Memory of the agent afterwards. */
  readonly memoryMib: number;
  readonly loopDelay: LoopDelay;
  readonly isCrowded: boolean;
}

export async function measureWorks<T>(scene: WorksScene, run: () => Promise<T>): Promise<WorksRun<T>> {
  const { agent, hubPid, cluster } = scene;
  await agent.loopDelay();
  const cpu = (): number[] => [agent.pid, hubPid, cluster.server.pid].map(cpuMsOf);
  const [before, machine, begin] = [cpu(), machineCpuMs(), performance.now()];
  const result = await run();
  const ms = performance.now() - begin;
  const isCrowded = wereCoresFull(machineCpuMs() - machine, ms);
  const [agentCpuMs = 0, hubCpuMs = 0, clusterCpuMs = 0] = cpu().map((now, at) => now - (before[at] ?? 0));
  const memoryMib = memoryMibOf(agent.pid);
  return { result, ms, agentCpuMs, hubCpuMs, clusterCpuMs, memoryMib, loopDelay: await agent.loopDelay(), isCrowded };
}
