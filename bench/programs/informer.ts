/**
 * Time of an informer to sync 100,000 objects of 1 KB: from a server in another process, with its address and credentials as
 * the argument, or from one in this process.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { bootstrap, createApiServer, openEngine } from '@flotilla/apiserver';
import { createClient, fixedCredentials, httpTransport, inProcessTransport, type Client } from '@flotilla/client';
import { administrator, configMaps, silentLogger, type KubeObject } from '@flotilla/kube';
import { InformerSet } from '@flotilla/runtime';
import { systemClock } from '@flotilla/timing';
import type { Target } from '../load/workload.ts';
import type { Measurement } from '../results/measurement.ts';

const objects = 100_000;
const writers = 64;
/** Together with the metadata, 1 KB. */
const filler = 'x'.repeat(600);

async function fill(client: Client): Promise<void> {
  const names = Array.from({ length: objects }, (_, n) => `object-${n}`).values();
  const write = async (): Promise<void> => {
    for (const name of names) await client.create(configMaps, aConfigMap(name));
  };
  await Promise.all(Array.from({ length: writers }, write));
}

function aConfigMap(name: string): KubeObject {
  const metadata = { namespace: 'default', name, labels: { app: 'bench' } };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { filler } };
}

interface Sync {
  readonly ms: number;
  readonly heapMib: number;
  readonly loopDelayMs: number;
}

async function syncInformer(client: Client): Promise<Sync> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const heapBefore = process.memoryUsage().heapUsed;
  const begin = performance.now();
  const informers = new InformerSet({ client, clock: systemClock, random: Math.random, logger: silentLogger });
  const { informer, release } = informers.hold(configMaps);
  await informer.whenReady();
  const ms = performance.now() - begin;
  const heapMib = (process.memoryUsage().heapUsed - heapBefore) / 2 ** 20;
  delay.disable();
  if (informer.size < objects) throw new Error(`the informer has only ${informer.size} objects`);
  await release();
  return { ms, heapMib, loopDelayMs: delay.percentile(99) / 1e6 };
}

async function overHttp({ url, authority, certificate, key }: Target): Promise<Measurement[]> {
  const credentials = fixedCredentials({ authority, certificate, key });
  const client = createClient(httpTransport({ server: url, credentials }));
  await fill(client);
  await syncInformer(client);
  const { ms, loopDelayMs } = await syncInformer(client);
  await client.close();
  const common = { figure: 'informer', unit: 'ms' } as const;
  return [
    { ...common, what: '100,000 objects of 1 KB over HTTP', value: ms, bar: { atMost: 3000 } },
    { ...common, what: 'client event loop delay, p99', value: loopDelayMs },
  ];
}

async function inProcess(): Promise<Measurement[]> {
  const engine = await openEngine({ memory: true }, { clock: systemClock });
  const api = createApiServer({ store: engine.store('hub'), clock: systemClock, address: () => '127.0.0.1:6443' });
  await bootstrap(api, 6443);
  const client = createClient(inProcessTransport(api.handle, administrator, api.view));
  await fill(client);
  const { ms, heapMib } = await syncInformer(client);
  await engine.close();
  return [
    { figure: 'informer', what: '100,000 objects in process', value: ms, unit: 'ms', bar: { atMost: 100 } },
    { figure: 'informer', what: 'memory that it takes there', value: heapMib, unit: 'MiB', bar: { atMost: 1 } },
  ];
}

const target = process.argv[2];
const measurements = target === undefined ? await inProcess() : await overHttp(JSON.parse(target) as Target);
for (const measurement of measurements) process.send?.(measurement);
process.disconnect?.();
