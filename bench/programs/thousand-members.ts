/**
 * A fleet of 1,000 members in this process. The first argument is its data directory. With `idle` as the second, measures
 * the fleet while no object changes, otherwise its start.
 */
import { internalMemberClusters, memberClusters } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { startFleet, type RunningFleet } from '@flotilla/fleet';
import { leases, namespaces, type Kind } from '@flotilla/kube';
import type { Measurement } from '../results/measurement.ts';
import { cpuMsOf, machineCpuMs, memoryMibOf, wereCoresFull } from '../measured/process-usage.ts';

const members = 1000;
/** The time between two heartbeats. */
const idleMs = 60_000;
/** Enough to finish the work that a start leaves. */
const settleMs = 10_000;

const [, , directory = '', mode] = process.argv;
const measurements = mode === 'idle' ? await idleFleet() : await startedFleet();
for (const measurement of measurements) process.send?.(measurement);
process.disconnect?.();

async function startedFleet(): Promise<Measurement[]> {
  const [begin, cpu, machine] = [performance.now(), cpuMsOf(process.pid), machineCpuMs()];
  const fleet = await startFleet({ members, dataDirectory: directory });
  const ms = performance.now() - begin;
  const cpuMs = cpuMsOf(process.pid) - cpu;
  const isCrowded = wereCoresFull(machineCpuMs() - machine, ms);
  const stopping = performance.now();
  await fleet.stop();
  const stoppedMs = performance.now() - stopping;
  const common = { figure: 'fleet-start', unit: 'ms' } as const;
  return [
    { ...common, what: '1,000 members joined', value: ms, bar: { atMost: 10_000 }, isCrowded },
    { ...common, what: 'CPU of a member', value: cpuMs / members, bar: { atMost: 10 } },
    { ...common, what: 'all of it stopped', value: stoppedMs },
  ];
}

async function idleFleet(): Promise<Measurement[]> {
  const fleet = await startFleet({ members, dataDirectory: directory });
  await passed(settleMs);
  const written = await countWrites(fleet);
  const [begin, cpu] = [performance.now(), cpuMsOf(process.pid)];
  await passed(idleMs);
  const percent = ((cpuMsOf(process.pid) - cpu) / (performance.now() - begin)) * 100;
  const memory = memoryMibOf(process.pid);
  const { expected, others } = await written();
  await fleet.stop();
  const figure = 'fleet-idle';
  return [
    { figure, what: 'a core, with 1,000 members', unit: 'percent', value: percent, bar: { atMost: 7 } },
    { figure, what: 'memory with 1,000 members', unit: 'MiB', value: memory, bar: { atMost: 3072 } },
    { figure, what: 'heartbeats and their mirror in a minute', unit: 'events', value: expected },
    { figure, what: 'any other write', unit: 'events', value: others, bar: { atMost: 0 } },
  ];
}

/** Counts writes from now on. The returned function returns heartbeats and other writes. */
async function countWrites(fleet: RunningFleet) {
  const hub = await fleet.hub.client();
  const clients = [hub, ...Array.from(fleet.members.values(), (member) => member.client())];
  // The Lease of the server itself does not count.
  const [heartbeats, mirrored, ofServer] = [internalMemberClusters, memberClusters, leases].map((kind) =>
    changesOf(hub, kind),
  );
  const before = await revisions(clients);
  return async () => {
    const after = await revisions(clients);
    const all = after - before;
    const expected = (heartbeats?.() ?? 0) + (mirrored?.() ?? 0);
    const others = all - expected - (ofServer?.() ?? 0);
    await Promise.all(clients.map((client) => client.close()));
    return { expected, others };
  };
}

function changesOf(client: Client, kind: Kind): () => number {
  let count = 0;
  client.view?.(kind)?.follow(
    () => count++,
    () => undefined,
  );
  return () => count;
}

async function revisions(clients: readonly Client[]): Promise<number> {
  let sum = 0;
  for (const client of clients) sum += Number((await client.list(namespaces, { limit: 1 })).resourceVersion);
  return sum;
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
