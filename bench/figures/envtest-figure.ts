/** Time that an envtest suite waits for its servers, measured by the Go suite, with controller-runtime's polling. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BenchContext } from '../bench-context.ts';
import type { Measurement } from '../results/measurement.ts';
import { machineCpuMs, wereCoresFull } from '../measured/process-usage.ts';

const root = resolve(import.meta.dirname, '../..');
const suite = join(root, '.clients/envtest');
const run = promisify(execFile);

/** Means of five. */
export async function envtestFigure(context: BenchContext): Promise<Measurement[]> {
  if (!existsSync(suite)) throw new Error('the figure envtest needs the Go suite; run "npm run clients"');
  context.progress('servers for envtest');
  const assets = join(context.newDirectory(), 'assets');
  await run(join(root, 'apps/flotilla/bin/flotilla'), ['envtest', '--dir', assets]);
  const args = ['-test.run=^$', '-test.bench=Start', '-test.benchtime=5x'];
  const [machine, begin] = [machineCpuMs(), performance.now()];
  const { stdout } = await run(suite, args, {
    cwd: join(root, 'test/clients/go/envtest'),
    env: { ...process.env, KUBEBUILDER_ASSETS: assets },
  });
  const isCrowded = wereCoresFull(machineCpuMs() - machine, performance.now() - begin);
  const common = { figure: 'envtest', unit: 'ms', isCrowded } as const;
  return [
    { ...common, what: 'started by envtest', value: meanMs(stdout, 'BenchmarkStart'), bar: { atMost: 500 } },
    {
      ...common,
      what: 'with 36 definitions installed',
      value: meanMs(stdout, 'BenchmarkStartWithDefinitions'),
      bar: { atMost: 1500 },
      kubeApiserver: 6100,
    },
  ];
}

/** Reads a line of Go's benchmark output: `BenchmarkStart-2   5   512345678 ns/op`. */
function meanMs(output: string, name: string): number {
  const [, nanoseconds] = new RegExp(`^${name}(?:-\\d+)?\\s+\\d+\\s+(\\d+) ns/op`, 'm').exec(output) ?? [];
  if (nanoseconds === undefined) throw new Error(`the suite printed no ${name}: ${output}`);
  return Number(nanoseconds) / 1e6;
}
