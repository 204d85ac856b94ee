/** Cost of the durable store alone, in a process of its own. Objects of 2.7 KB, every write synced. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openEngine, type Store } from '@flotilla/apiserver';
import { systemClock } from '@flotilla/timing';
import { manyObjects } from '../bench-context.ts';
import type { Measurement } from '../results/measurement.ts';

const objectBytes = 2700;
const collection = 'core/configmaps';
const payload = 'x'.repeat(objectBytes - 40);

const [, , part, directory = ''] = process.argv;
if (part === 'write') await measureWrites();
else await measureLoad();

async function measureWrites(): Promise<void> {
  const engine = await openEngine({ directory }, { clock: systemClock });
  const store = engine.store('bench');
  await writeMany(store, 'warm', 64, 2000);
  for (const [concurrency, count] of [
    [1, 2000],
    [16, 10_000],
    [64, 20_000],
  ] as const) {
    await measured(`create, ${concurrency} in flight`, count, async () =>
      writeMany(store, `c${concurrency}`, concurrency, count),
    );
  }
  await measured('update, 64 in flight', 20_000, async () => writeMany(store, 'c64', 64, 20_000));
  await writeMany(store, 'fill', 256, manyObjects - store.count(collection));
  await engine.close();
}

async function writeMany(store: Store, prefix: string, concurrency: number, count: number): Promise<void> {
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < count) await writeOne(store, `${prefix}/object-${next++}`);
  };
  await Promise.all(Array.from({ length: concurrency }, writer));
}

async function writeOne(store: Store, name: string): Promise<void> {
  const key = { collection, name };
  await store.write([
    {
      verb: 'put',
      key,
      expected: store.newest(key)?.revision ?? 0,
      header: { uid: '6f9bde17-8a8e-4bc5-8d2b-7b1a40c2f1de', labels: { app: 'bench', tier: 'one' } },
      encode: (revision) => Buffer.from(`{"metadata":{"resourceVersion":"${revision}"},"x":"${payload}"}`),
    },
  ]);
}

async function measured(what: string, count: number, run: () => Promise<void>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const [all, main, start] = [process.cpuUsage(), process.threadCpuUsage(), performance.now()];
  await run();
  const seconds = (performance.now() - start) / 1000;
  const [allUsed, mainUsed] = [process.cpuUsage(all), process.threadCpuUsage(main)];
  const mainMs = (mainUsed.user + mainUsed.system) / count / 1000;
  const allMs = (allUsed.user + allUsed.system) / count / 1000;
  delay.disable();
  report({ what: `${what}: rate`, value: count / seconds, unit: 'per second' });
  report({ what: `${what}: CPU of the main thread`, value: mainMs, unit: 'ms' });
  report({ what: `${what}: CPU of other threads`, value: allMs - mainMs, unit: 'ms' });
  report({ what: `${what}: event-loop delay p99`, value: delay.percentile(99) / 1e6, unit: 'ms' });
}

async function measureLoad(): Promise<void> {
  const start = performance.now();
  const engine = await openEngine({ directory }, { clock: systemClock });
  report({ what: 'load of 50,000 objects', value: performance.now() - start, unit: 'ms' });
  report({ what: 'memory after loading', value: process.memoryUsage().rss / 1024 / 1024, unit: 'MiB' });
  await engine.close();
}

function report(measurement: Omit<Measurement, 'figure'>): void {
  process.send?.({ figure: 'store', ...measurement });
}
