/** Where the CPU of this process goes: samples of its profile, by the part of the program whose code runs. */
import { Session, type Profiler } from 'node:inspector/promises';

/** Parts by the path of their files. The first that matches counts. */
const parts: readonly (readonly [RegExp, string])[] = [
  [/packages\/controllers\/src\/([\w-]+)\//, 'hub: $1'],
  [/packages\/scheduler\//, 'hub: scheduler'],
  [/packages\/apiserver\/src\/store\//, 'store'],
  [/packages\/(apiserver|builtins|schema|cel|kube)\//, 'API servers'],
  [/packages\/(client|runtime|timing)\//, 'client and runtime'],
  [/packages\/member\//, 'agents'],
  [/packages\/(simulator|housekeeping)\//, 'simulator and housekeeping'],
];

/** Percent of the CPU by part, largest first. */
export type CpuByPart = readonly (readonly [string, number])[];

export async function profiled<T>(work: () => Promise<T>): Promise<{ result: T; cpu: CpuByPart }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 1000 });
  await session.post('Profiler.start');
  const result = await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return { result, cpu: sharesOf(profile) };
}

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): CpuByPart {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const totals = new Map<string, number>();
  let all = 0;
  for (const [index, id] of samples.entries()) {
    const node = byId.get(id);
    const name = node === undefined || isIdle(node) ? undefined : partOf(node);
    if (name === undefined) continue;
    const time = timeDeltas[index] ?? 0;
    totals.set(name, (totals.get(name) ?? 0) + time);
    all += time;
  }
  return [...totals].map(([name, time]) => [name, (time / all) * 100] as const).sort(([, a], [, b]) => b - a);
}

function isIdle({ callFrame }: Profiler.ProfileNode): boolean {
  return callFrame.functionName === '(idle)' || callFrame.functionName === '(program)';
}

function partOf({ callFrame: { functionName, url } }: Profiler.ProfileNode): string {
  if (functionName === '(garbage collector)') return 'garbage collection';
  for (const [pattern, name] of parts) {
    const match = pattern.exec(url);
    if (match) return name.replace('$1', match[1] ?? '');
  }
  return url.startsWith('node:') || url === '' ? 'Node' : 'other';
}
