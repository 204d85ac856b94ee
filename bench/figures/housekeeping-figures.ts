/** How fast a server deletes a namespace, and the dependents of a deleted owner. */
import type { Client } from '@flotilla/client';
import { configMaps, namespaces, type Kind, type KubeObject, type OwnerReference } from '@flotilla/kube';
import type { BenchContext } from '../bench-context.ts';
import { clientOf } from '../measured/client-of.ts';
import type { MeasuredServer } from '../measured/measured-server.ts';
import type { Measurement } from '../results/measurement.ts';

const namespaceObjects = 1000;
const dependents = 10_000;

export function namespaceFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress(`a namespace of ${namespaceObjects.toLocaleString('en')} objects`);
  return context.withFlotilla(async ({ server }) => {
    const client = clientOf(server);
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'full' } });
    await createMany(client, 'full', namespaceObjects);
    const ms = await timeOf(
      server,
      () => client.delete(namespaces, { name: 'full' }),
      async () => (await countOf(client, namespaces, 'metadata.name=full')) === 0,
    );
    await client.close();
    return measurements('namespace', `gone with ${namespaceObjects.toLocaleString('en')} objects`, ms, 2000);
  });
}

export function collectFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress(`an owner of ${dependents.toLocaleString('en')} objects`);
  return context.withFlotilla(async ({ server }) => {
    const client = clientOf(server);
    const owner = await client.create(configMaps, configMap('owner', 'default'));
    const { name = '', uid = '' } = owner.metadata;
    await createMany(client, 'default', dependents, [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }]);
    const ms = await timeOf(
      server,
      () => client.delete(configMaps, { namespace: 'default', name }),
      async () => (await countOf(client, configMaps, 'metadata.name!=kube-root-ca.crt', 'default')) === 0,
    );
    await client.close();
    return measurements('collect', `${dependents.toLocaleString('en')} dependents gone`, ms, 3000);
  });
}

interface Timed {
  readonly ms: number;
  readonly loopDelayMs: number;
}

async function timeOf(
  server: MeasuredServer,
  begin: () => Promise<unknown>,
  isOver: () => Promise<boolean>,
): Promise<Timed> {
  await server.loopDelayMs();
  const started = performance.now();
  await begin();
  while (!(await isOver())) await new Promise((resolve) => setTimeout(resolve, 10));
  return { ms: performance.now() - started, loopDelayMs: await server.loopDelayMs() };
}

function measurements(figure: string, what: string, { ms, loopDelayMs }: Timed, atMost: number): Measurement[] {
  return [
    { figure, what, value: ms, unit: 'ms', bar: { atMost } },
    { figure, what: 'event-loop delay p99', value: loopDelayMs, unit: 'ms', bar: { atMost: 20 } },
  ];
}

function configMap(name: string, namespace: string, ownerReferences?: OwnerReference[]): KubeObject {
  const metadata = { name, namespace, ...(ownerReferences && { ownerReferences }) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { cargo: 'x'.repeat(500) } };
}

async function createMany(client: Client, namespace: string, count: number, owners?: OwnerReference[]): Promise<void> {
  const names = Array.from({ length: count }, (_, at) => `object-${at}`).values();
  const worker = async (): Promise<void> => {
    for (const name of names) await client.create(configMaps, configMap(name, namespace, owners));
  };
  await Promise.all(Array.from({ length: 64 }, worker));
}

async function countOf(client: Client, kind: Kind, fieldSelector: string, namespace?: string): Promise<number> {
  const { items } = await client.list(kind, { fieldSelector, limit: 1, ...(namespace && { namespace }) });
  return items.length;
}
