/** What the durable store costs by itself: `node bench/store.ts [directory]`. Objects of 2.7 KB, every write synced. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../packages/apiserver/src/store/clock.ts';
import { openEngine } from '../packages/apiserver/src/store/open-engine.ts';
import type { Store } from '../packages/apiserver/src/store/store.ts';

const objectBytes = 2700;
const objects = 50_000;
const collection = 'core/configmaps';
const payload = 'x'.repeat(objectBytes - 40);

const directory = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'flotilla-bench-'));
if (process.env['FLOTILLA_BENCH_LOAD'] === undefined) await measureWrites();
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
  await writeMany(store, 'fill', 256, objects - store.count(collection));
  await engine.close();
  await loadInFreshProcess();
  rmSync(directory, { recursive: true });
}

async function writeMany(store: Store, prefix: string, concurrency: number, count: number): Promise<void> {
  let next = 0;
  const writer = async () => {
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
  const mainMicros = (mainUsed.user + mainUsed.system) / count;
  const allMicros = (allUsed.user + allUsed.system) / count;
  delay.disable();
  console.log(
    `${what.padEnd(24)} ${Math.round(count / seconds)
      .toLocaleString('en')
      .padStart(7)}/s,` +
      ` main thread ${mainMicros.toFixed(0)} µs, others ${(allMicros - mainMicros).toFixed(0)} µs,` +
      ` event loop p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms`,
  );
}

async function loadInFreshProcess(): Promise<void> {
  const { spawnSync } = await import('node:child_process');
  const env = { ...process.env, FLOTILLA_BENCH_LOAD: '1' };
  spawnSync(process.execPath, [import.meta.filename, directory], { stdio: 'inherit', env });
}

async function measureLoad(): Promise<void> {
  const start = performance.now();
  const engine = await openEngine({ directory }, { clock: systemClock });
  const ms = performance.now() - start;
  const count = engine.store('bench').count(collection);
  const mebibytes = process.memoryUsage().rss / 1024 / 1024;
  console.log(`load of ${count.toLocaleString('en')} objects: ${ms.toFixed(0)} ms, RSS ${mebibytes.toFixed(0)} MiB`);
  await engine.close();
}
