/**
 * Staged update runs and evictions on the members of a durable fleet in this process. The first argument is what to measure, the second
 * the parent of data directories.
 */
import { join } from 'node:path';
import { memberClusters } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { countHubWrites, withoutHeartbeats } from '../measured/hub-writes.ts';
import { createContent, place, startPlacedFleet, type FleetSize } from '../measured/placed-fleet.ts';
import { cpuMsOf } from '../measured/process-usage.ts';
import { createStaged, createStrategy, evict, run } from '../measured/staged-runs.ts';
import { inTime, timed } from '../measured/timed.ts';
import type { Measurement } from '../results/measurement.ts';

const figure = 'runs';
const strategy = 'waves';
const idleMs = 30_000;

const [, , what = 'staged', directory = ''] = process.argv;
const programs: Readonly<Record<string, () => Promise<Measurement[]>>> = { staged, drain, waiting };
for (const measurement of (await programs[what]?.()) ?? []) process.send?.(measurement);
process.disconnect?.();

async function withFleet<T>(size: Omit<FleetSize, 'dataDirectory'>, use: (client: Client) => Promise<T>): Promise<T> {
  const fleet = await startPlacedFleet({ dataDirectory: join(directory, what), embedsInMemory: true, ...size });
  const client = await fleet.hub.client();
  try {
    return await use(client);
  } finally {
    await client.close();
    await fleet.stop();
  }
}

function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

/** Ten runs come first, until the code is compiled: a hub runs for weeks. */
async function staged(): Promise<Measurement[]> {
  const stages = [20, 30, 50];
  const members = 100;
  const groupOf = (index: number): number => (index < 20 ? 0 : index < 50 ? 1 : 2);
  return withFleet({ members, groupOf }, async (client) => {
    await createStrategy(client, strategy, stages.length);
    const runsOf = (names: readonly string[]) => names.map((name) => ({ run: name, placement: name }));
    const warmUps = namesOf('warm', 10);
    await createStaged(client, warmUps);
    await run(client, strategy, runsOf(warmUps));
    const [one = '', ...many] = namesOf('staged', 101);
    await createStaged(client, [one]);
    const single = await timed(() => run(client, strategy, runsOf([one])));
    await createStaged(client, many);
    const runs = runsOf(many);
    const writes = await countHubWrites(client);
    const hundred = await timed(() => run(client, strategy, runs));
    const { sum } = withoutHeartbeats(writes.taken());
    writes.stop();
    const pairs = runs.length * members;
    return [
      inTime(figure, 'a run over 20, 30 and 50 clusters', single, 3000),
      inTime(figure, '100 such runs at once', hundred, 20_000),
      { figure, what: 'CPU of a (run, cluster) pair', unit: 'ms', value: hundred.cpuMs / pairs },
      { figure, what: 'hub writes of a (run, cluster) pair', unit: 'events', value: sum / pairs, bar: { atMost: 6.5 } },
    ];
  });
}

async function drain(): Promise<Measurement[]> {
  const members = 3;
  return withFleet({ members }, async (client) => {
    const names = namesOf('drained', 100);
    for (const name of names) await createContent(client, name);
    await place(client, names);
    const { items } = await client.list(memberClusters);
    const cluster = items[0]?.metadata.name ?? '';
    const drained = await timed(async () => {
      const taints = [{ key: 'drain', value: 'now', effect: 'NoSchedule' }];
      await client.patch(memberClusters, { name: cluster }, { type: 'merge', value: { spec: { taints } } });
      await evict(client, cluster, names);
    });
    return [inTime(figure, 'a drain of a cluster with 100 placements', drained, 2000)];
  });
}

async function waiting(): Promise<Measurement[]> {
  return withFleet({ members: 3 }, async (client) => {
    await createStrategy(client, strategy, 1, true);
    await createStaged(client, ['web']);
    await settled();
    const without = await idlePercent();
    const runs = namesOf('waiting', 1000).map((name) => ({ run: name, placement: 'web' }));
    await run(client, strategy, runs, 'waiting');
    await settled();
    const added = (await idlePercent()) - without;
    return [
      { figure, what: 'a core, with 3 members and no runs', unit: 'percent', value: without },
      { figure, what: 'more with 1,000 that wait for approval', unit: 'percent', value: added, bar: { atMost: 0.5 } },
    ];
  });
}

/** Garbage of the work before is not a cost of waiting. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5000));
}

/** Of one core. */
async function idlePercent(): Promise<number> {
  const cpu = cpuMsOf(process.pid);
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  return ((cpuMsOf(process.pid) - cpu) / idleMs) * 100;
}
