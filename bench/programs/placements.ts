/**
 * Placements on the members of a fleet in this process, from their creation until they are Available everywhere. The first argument is
 * what to measure, the second the parent of data directories.
 */
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Client } from '@flotilla/client';
import type { RunningFleet } from '@flotilla/fleet';
import { configMaps, jsonEquals, type JsonValue } from '@flotilla/kube';
import { profiled } from '../measured/cpu-by-part.ts';
import { countHubWrites, withoutHeartbeats } from '../measured/hub-writes.ts';
import {
  configMap,
  createContent,
  place,
  startPlacedFleet,
  type FleetSize,
  type PlacementOptions,
} from '../measured/placed-fleet.ts';
import { memoryMibOf } from '../measured/process-usage.ts';
import { inTime, timed, type Timed } from '../measured/timed.ts';
import type { Measurement } from '../results/measurement.ts';
import { median } from '../results/percentiles.ts';

const figure = 'placements';
/** So many placements until the code is compiled: a hub runs for weeks. */
const warmUps = 20;
const thousand = { members: 1000, groups: 10 };
const ofGroups = { hasDeployment: true };

const [, , what = 'small', directory = ''] = process.argv;
const programs: Readonly<Record<string, () => Promise<Measurement[]>>> = { small, restart, large, published };
for (const measurement of (await programs[what]?.()) ?? []) process.send?.(measurement);
process.disconnect?.();

async function withFleet<T>(size: FleetSize, use: (client: Client, fleet: RunningFleet) => Promise<T>): Promise<T> {
  const fleet = await startPlacedFleet({ dataDirectory: join(directory, what), embedsInMemory: true, ...size });
  const client = await fleet.hub.client();
  try {
    return await use(client, fleet);
  } finally {
    await client.close();
    await fleet.stop();
  }
}

/** Prepares the namespaces, then measures their placements. */
async function placed(client: Client, names: readonly string[], options: PlacementOptions = {}): Promise<Timed> {
  for (const name of names) await createContent(client, name, options);
  return timed(() => place(client, names, options));
}

function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

/** The median of five placements, one after another, on a hub and members that have had others before. */
async function single(
  client: Client,
  prefix: string,
  optionsOf: (index: number) => PlacementOptions = () => ({}),
): Promise<Timed> {
  const all: Timed[] = [];
  for (const [index, name] of namesOf(prefix, warmUps + 5).entries())
    all.push(await placed(client, [name], optionsOf(index)));
  const warm = all.slice(warmUps);
  return { ms: median(warm.map(({ ms }) => ms)), cpuMs: median(warm.map(({ cpuMs }) => cpuMs)), isCrowded: false };
}

async function small(): Promise<Measurement[]> {
  const three = await withFleet({ members: 3, dataDirectory: join(directory, 'three') }, (client) =>
    single(client, 'one'),
  );
  return withFleet({ members: 10 }, async (client, fleet) => {
    const ten = await single(client, 'one');
    const twenty = await placed(client, namesOf('twenty', 20));
    const hundred = await placed(client, namesOf('hundred', 100));
    const changed: Timed[] = [];
    for (const letter of 'abcdef') changed.push(await timed(() => changedEverywhere(client, fleet, letter)));
    const [, ...warm] = changed;
    const changeMs = median(warm.map(({ ms }) => ms));
    return [
      inTime(figure, 'one placement on 3 members', three, 50),
      inTime(figure, 'one placement on 10 members', ten, 100),
      inTime(figure, '20 placements on 10 members', twenty, 600),
      inTime(figure, '100 placements on 10 members', hundred, 3000),
      { figure, what: 'CPU of a (placement, cluster) pair', unit: 'ms', value: hundred.cpuMs / 1000 },
      { figure, what: 'a changed ConfigMap on 10 members', unit: 'ms', value: changeMs, bar: { atMost: 50 } },
    ];
  });
}

/** Changes the ConfigMap of the first placement, and resolves when every member has it. */
async function changedEverywhere(client: Client, { members }: RunningFleet, letter: string): Promise<void> {
  const wanted = configMap('one-0', letter);
  const clients = Array.from(members.values(), (member) => member.client());
  const arrived = clients.map((member) => untilShown(member, wanted['data'] ?? null));
  const stored = await client.get(configMaps, { namespace: 'one-0', name: 'settings' });
  await client.update(configMaps, { ...stored, data: wanted['data'] as never });
  await Promise.all(arrived);
  await Promise.all(clients.map((member) => member.close()));
}

async function untilShown(client: Client, data: JsonValue): Promise<void> {
  const watching = new AbortController();
  const options = { namespace: 'one-0', resourceVersion: '0', signal: watching.signal };
  for await (const { object } of client.watch(configMaps, options)) {
    if (jsonEquals(object['data'] ?? null, data)) watching.abort();
  }
}

/** A new process would also load code; this is the part of the fleet. */
async function restart(): Promise<Measurement[]> {
  const durable = { members: 10, embedsInMemory: false };
  await withFleet(durable, async (client) => void (await placed(client, namesOf('before', 20))));
  const begin = performance.now();
  const ms = await withFleet(durable, async (client) => {
    await createContent(client, 'after');
    await place(client, ['after']);
    return performance.now() - begin;
  });
  return [{ figure, what: 'restart until a new placement is Available', unit: 'ms', value: ms, bar: { atMost: 1000 } }];
}

/** The time of placements with members in memory, then a restart with durable ones that have the same. */
async function large(): Promise<Measurement[]> {
  const { one, hundred } = await withFleet(thousand, async (client) => {
    const one = await single(client, 'one', (index) => ({ ...ofGroups, groupOf: () => index % thousand.groups }));
    return { one, hundred: await inGroups(client, namesOf('hundred', 100)) };
  });
  const durable = { ...thousand, dataDirectory: join(directory, 'durable'), embedsInMemory: false };
  await withFleet(durable, async (client) => {
    await inGroups(client, namesOf('hundred', 100));
    await quiet(client);
  });
  const begin = performance.now();
  const restarted = await withFleet(durable, async (client) => {
    const ms = performance.now() - begin;
    const writes = await countHubWrites(client);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const { sum } = withoutHeartbeats(writes.taken());
    writes.stop();
    return { ms, sum };
  });
  return [
    inTime(figure, 'one placement on 100 of 1,000 members', one, 500),
    inTime(figure, '100 placements on 100 of 1,000 members', hundred, 20_000),
    { figure, what: 'restart with these, 1,000 members', unit: 'ms', value: restarted.ms, bar: { atMost: 6000 } },
    { figure, what: 'writes after it', unit: 'events', value: restarted.sum, bar: { atMost: 0 } },
  ];
}

/** KubeFleet's published benchmark: each placement on one group of 100 members. */
async function published(): Promise<Measurement[]> {
  return withFleet(thousand, async (client) => {
    const names = namesOf('work', 1000);
    for (const name of names) await createContent(client, name, ofGroups);
    const writes = await countHubWrites(client);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const result = await timed(() => placeInGroups(client, names));
    delay.disable();
    const pairs = names.length * (thousand.members / thousand.groups);
    const { sum, kinds } = withoutHeartbeats(writes.taken());
    writes.stop();
    const memory = memoryMibOf(process.pid);
    // Not of the placements that are timed: a profile costs time, too.
    const { cpu } = await profiled(() => inGroups(client, namesOf('profiled', 100)));
    return [
      inTime(figure, '1,000 placements on 100 of 1,000 members', result, 240_000),
      { figure, what: 'memory after it', unit: 'MiB', value: memory, bar: { atMost: 6144 } },
      { figure, what: 'event-loop delay p99', unit: 'ms', value: delay.percentile(99) / 1e6, bar: { atMost: 20 } },
      { figure, what: 'CPU of a pair', unit: 'ms', value: result.cpuMs / pairs },
      { figure, what: 'hub writes of a pair', unit: 'events', value: sum / pairs, bar: { atMost: 8 } },
      ...kinds.map(([kind, count]) => ({ figure, what: `… ${kind}`, unit: 'events' as const, value: count / pairs })),
      ...cpu.map(([part, share]) => ({ figure, what: `CPU: ${part}`, unit: 'percent' as const, value: share })),
    ];
  });
}

async function inGroups(client: Client, names: readonly string[]): Promise<Timed> {
  for (const name of names) await createContent(client, name, ofGroups);
  return timed(() => placeInGroups(client, names));
}

function placeInGroups(client: Client, names: readonly string[]): Promise<void> {
  return place(client, names, { groupOf: (index) => index % thousand.groups });
}

/** Until no write but heartbeats happens for a second. */
async function quiet(client: Client): Promise<void> {
  const writes = await countHubWrites(client);
  do await new Promise((resolve) => setTimeout(resolve, 1000));
  while (withoutHeartbeats(writes.taken()).sum > 0);
  writes.stop();
}
