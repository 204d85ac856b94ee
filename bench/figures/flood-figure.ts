/** How much longer one user waits while another has 200 requests in flight. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../bench-context.ts';
import type { FloodResult, FloodUser, FloodWork } from '../flood/user.ts';
import { openConnections, expectStatus } from '../load/connections.ts';
import type { Target } from '../load/workload.ts';
import { forkAtLowPriority } from '../measured/low-priority.ts';
import type { Measurement } from '../results/measurement.ts';
import { percentile } from '../results/percentiles.ts';

const inFlight = 200;
const objects = 500;
const secondsOfRun = 3;
/** Longer than the first batch of a flood takes. */
const secondsBefore = 0.5;
const floods: readonly FloodWork[] = ['get', 'create', 'list'];
const probes: readonly FloodWork[] = ['get', 'create'];
const maxFactor = 3;
const program = join(import.meta.dirname, '../flood/user.ts');

export async function floodFigure(context: BenchContext): Promise<Measurement[]> {
  return context.withFlotilla(async ({ server, load }) => {
    await load.run({ work: 'create', kind: 'ConfigMap', prefix: 'object', count: objects, inFlight: 64 });
    await allowAll(server.target);
    const common = { target: server.target, objects };
    const flooder = forkAtLowPriority(program, { ...common, name: 'flooder', connections: 4 } satisfies FloodUser);
    const argument = JSON.stringify({ ...common, name: 'other', connections: 1 } satisfies FloodUser);
    const other = fork(program, [argument], { serialization: 'advanced' });
    try {
      await Promise.all([once(flooder, 'message'), once(other, 'message')]);
      const rows: Measurement[] = [];
      for (const probe of probes) {
        context.progress(`${probe} of one user`);
        await run(other, probe, 'warm');
        const quiet = await run(other, probe, `quiet-${probe}`);
        for (const flood of floods) {
          context.progress(`${probe} of one user in a flood of ${flood}`);
          const flooded = await runInFlood(other, flooder, { probe, flood });
          rows.push(...rowsOf(probe, flood, quiet, flooded));
        }
      }
      return rows;
    } finally {
      flooder.kill();
      other.kill();
    }
  });
}

async function allowAll(target: Target): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  const subjects = ['flooder', 'other'].map((name) => ({ apiGroup: group, kind: 'User', name }));
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' };
  const body = Buffer.from(JSON.stringify({ metadata: { name: 'flood' }, roleRef, subjects }));
  const [connection, ...others] = await openConnections(target);
  if (connection) await expectStatus(connection, 201, 'POST', `/apis/${group}/v1/clusterrolebindings`, body);
  for (const one of [connection, ...others]) one?.close();
}

async function run(user: ChildProcess, work: FloodWork, prefix: string): Promise<FloodResult> {
  user.send({ work, inFlight: 1, prefix });
  await sleep(secondsOfRun * 1000);
  return endOf(user);
}

async function runInFlood(
  other: ChildProcess,
  flooder: ChildProcess,
  { probe, flood }: { readonly probe: FloodWork; readonly flood: FloodWork },
): Promise<{ readonly other: FloodResult; readonly flooder: FloodResult }> {
  flooder.send({ work: flood, inFlight, prefix: `flood-${probe}-${flood}` });
  await sleep(secondsBefore * 1000);
  const result = await run(other, probe, `during-${probe}-${flood}`);
  return { other: result, flooder: await endOf(flooder) };
}

async function endOf(user: ChildProcess): Promise<FloodResult> {
  user.send('end');
  const [result] = (await once(user, 'message')) as [FloodResult];
  return result;
}

function rowsOf(
  probe: FloodWork,
  flood: FloodWork,
  quiet: FloodResult,
  flooded: { readonly other: FloodResult; readonly flooder: FloodResult },
): Measurement[] {
  const what = `${probe} in a flood of ${flood}: `;
  const [before, during] = [percentile(quiet.taken, 0.99), percentile(flooded.other.taken, 0.99)];
  const { taken, refused } = flooded.flooder;
  const seconds = secondsBefore + secondsOfRun;
  return [
    {
      figure: 'flood',
      what: `${what}times the p99 without one`,
      value: during / before,
      unit: 'times',
      bar: { atMost: maxFactor },
    },
    { figure: 'flood', what: `${what}p99`, value: during, unit: 'ms' },
    { figure: 'flood', what: `${what}p50`, value: percentile(flooded.other.taken, 0.5), unit: 'ms' },
    { figure: 'flood', what: `${what}p99 without one`, value: before, unit: 'ms' },
    { figure: 'flood', what: `${what}rate of the flood`, value: taken.length / seconds, unit: 'per second' },
    { figure: 'flood', what: `${what}refused`, value: refused + flooded.other.refused, unit: 'requests' },
  ];
}
