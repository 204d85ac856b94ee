/** Deployments on the members of a fleet in this process, from their creation until all are Available. The argument is its data directory. */
import type { Client } from '@flotilla/client';
import { startFleet, type RunningFleet } from '@flotilla/fleet';
import { deployments, pods, type Kind, type KubeObject } from '@flotilla/kube';
import { cpuMsOf, machineCpuMs, memoryMibOf, wereCoresFull } from '../measured/process-usage.ts';
import type { Measurement } from '../results/measurement.ts';

const members = 100;
const deploymentsOfMember = 10;
const replicas = 3;
/** On a single member, for its memory. */
const manyDeployments = 50;
const idleMs = 20_000;

interface Deployment extends KubeObject {
  status?: { availableReplicas?: number; observedGeneration?: number };
}

const [, , directory = ''] = process.argv;
const fleet = await startFleet({ members, dataDirectory: directory });
const measurements = [...(await allAvailable(fleet)), ...(await oneFullMember(fleet))];
await fleet.stop();
for (const measurement of measurements) process.send?.(measurement);
process.disconnect?.();

async function allAvailable({ members: all }: RunningFleet): Promise<Measurement[]> {
  const clients = Array.from(all.values(), (member) => member.client());
  const [begin, cpu, machine] = [performance.now(), cpuMsOf(process.pid), machineCpuMs()];
  await Promise.all(clients.map((client) => deploy(client, 'web', deploymentsOfMember)));
  const ms = performance.now() - begin;
  const isCrowded = wereCoresFull(machineCpuMs() - machine, ms);
  const podCount = await countOf(clients, pods);
  const cpuMs = cpuMsOf(process.pid) - cpu;
  await Promise.all(clients.map((client) => client.close()));
  const common = { figure: 'workloads', unit: 'ms' } as const;
  return [
    { ...common, what: '1,000 Deployments Available', value: ms, bar: { atMost: 10_000 }, isCrowded },
    { ...common, what: 'CPU of a Deployment', value: cpuMs / (members * deploymentsOfMember) },
    { ...common, what: 'their pods', unit: 'events', value: podCount, bar: { atLeast: 3000 } },
  ];
}

/** One collection leaves the memory of dead buffers behind. */
async function collectGarbage(): Promise<void> {
  for (let times = 0; times < 4; times++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function oneFullMember({ members: all }: RunningFleet): Promise<Measurement[]> {
  const client = Array.from(all.values())[0]?.client();
  if (client === undefined) return [];
  await collectGarbage();
  const before = memoryMibOf(process.pid);
  await deploy(client, 'more', manyDeployments);
  await collectGarbage();
  const memory = memoryMibOf(process.pid) - before;
  const [begin, cpu] = [performance.now(), cpuMsOf(process.pid)];
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const percent = ((cpuMsOf(process.pid) - cpu) / (performance.now() - begin)) * 100;
  await client.close();
  const figure = 'workloads';
  return [
    { figure, what: 'memory of 50 Deployments of 3', unit: 'MiB', value: memory, bar: { atMost: 12 } },
    { figure, what: 'a core at rest, 100 such members', unit: 'percent', value: percent },
  ];
}

/** Creates Deployments, and resolves when all are Available. */
async function deploy(client: Client, prefix: string, count: number): Promise<void> {
  const waiting = new Set(Array.from({ length: count }, (_, index) => `${prefix}-${index}`));
  const watching = new AbortController();
  const { resourceVersion } = await client.list(deployments, { limit: 1 });
  const done = untilAvailable(client, waiting, resourceVersion, watching);
  await Promise.all(Array.from(waiting, (name) => client.create(deployments, deployment(name))));
  await done;
}

async function untilAvailable(
  client: Client,
  waiting: Set<string>,
  resourceVersion: string,
  watching: AbortController,
): Promise<void> {
  const { signal } = watching;
  for await (const { object } of client.watch<Deployment>(deployments, { resourceVersion, signal })) {
    if (object.status?.availableReplicas === replicas) waiting.delete(object.metadata.name ?? '');
    if (waiting.size === 0) watching.abort();
  }
}

function deployment(name: string): KubeObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'default' }, spec };
}

async function countOf(clients: readonly Client[], kind: Kind): Promise<number> {
  const lists = await Promise.all(clients.map((client) => client.list(kind, { metadataOnly: true })));
  return lists.reduce((sum, { items }) => sum + items.length, 0);
}
