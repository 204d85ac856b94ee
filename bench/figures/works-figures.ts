import type { Client } from '@flotilla/client';
import { configMaps } from '@flotilla/kube';
import type { BenchContext } from '../bench-context.ts';
import type { Measurement } from '../results/measurement.ts';
import { applyMany, applyOne, measureWorks, withMember, type WorksScene } from '../measured/measured-works.ts';
import { percentile } from '../results/percentiles.ts';
import { wantedSetting } from '../measured/work-of-three.ts';

const warmUp = 50;
const oneByOne = 200;
const many = 1000;
const drifts = 50;

/** Works of three objects, from the create on the hub until the status says that all are available. */
export async function worksFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress(`${oneByOne} Works, one after another`);
  const single = await withMember(context, 'launcher', async (scene) => {
    await timesOf(numbered('warm', warmUp), (name) => applyOne(scene, name));
    return measureWorks(scene, () => timesOf(numbered('single', oneByOne), (name) => applyOne(scene, name)));
  });
  context.progress(`${many.toLocaleString('en')} Works at once`);
  const crowd = await withMember(context, 'plain node', (scene) =>
    measureWorks(scene, () => applyMany(scene, numbered('work', many))),
  );
  const common = { figure: 'works', unit: 'ms' } as const;
  const { isCrowded } = crowd;
  return [
    {
      ...common,
      what: 'applied and reported, p50',
      value: percentile(single.result, 0.5),
      bar: { atMost: 25 },
      isCrowded: single.isCrowded,
    },
    { ...common, what: 'applied and reported, p99', value: percentile(single.result, 0.99) },
    { ...common, what: 'agent CPU of each', value: single.agentCpuMs / oneByOne },
    { ...common, what: '1,000 applied and reported', value: crowd.ms, bar: { atMost: 10_000 }, isCrowded },
    { ...common, what: 'agent CPU of each of 1,000', value: crowd.agentCpuMs / many },
    { ...common, what: 'hub CPU of each of 1,000', value: crowd.hubCpuMs / many },
    { ...common, what: 'cluster CPU of each of 1,000', value: crowd.clusterCpuMs / many },
    { ...common, what: 'agent event-loop delay p99', value: crowd.loopDelay.p99Ms, bar: { atMost: 20 }, isCrowded },
    { ...common, unit: 'MiB', what: 'agent with 1,000, plain Node', value: crowd.memoryMib, bar: { atMost: 180 } },
  ];
}

/** From a change of an applied object on the member until the agent reverts it. Each drift is of another object. */
export async function driftFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress(`${drifts} drifts`);
  const { result, isCrowded } = await withMember(context, 'launcher', async (scene) => {
    const names = numbered('work', drifts);
    await applyMany(scene, names);
    return measureWorks(scene, () => repairTimes(scene, names));
  });
  const common = { figure: 'drift', unit: 'ms' } as const;
  return [
    { ...common, what: 'change to repair, p50', value: percentile(result, 0.5) },
    {
      ...common,
      what: 'change to repair, the longest',
      value: percentile(result, 1),
      bar: { atMost: 1000 },
      isCrowded,
    },
  ];
}

async function repairTimes({ cluster: { client } }: WorksScene, names: readonly string[]): Promise<Float64Array> {
  return timesOf(names, async (name) => {
    const key = { namespace: 'default', name };
    const drifted = await client.patch(configMaps, key, { type: 'merge', value: { data: { setting: 'drifted' } } });
    await untilReverted(client, name, drifted.metadata.resourceVersion ?? '');
  });
}

async function untilReverted(client: Client, name: string, since: string): Promise<void> {
  const watching = new AbortController();
  const which = { namespace: 'default', fieldSelector: `metadata.name=${name}`, resourceVersion: since };
  for await (const { object } of client.watch(configMaps, { ...which, signal: watching.signal })) {
    const { setting } = (object['data'] ?? {}) as { setting?: string };
    if (setting === wantedSetting) watching.abort();
  }
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
}

async function timesOf(names: readonly string[], run: (name: string) => Promise<void>): Promise<Float64Array> {
  const times = new Float64Array(names.length);
  for (const [at, name] of names.entries()) {
    const begin = performance.now();
    await run(name);
    times[at] = performance.now() - begin;
  }
  return times;
}
