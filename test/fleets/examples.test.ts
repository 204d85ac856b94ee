/** Starts the fleets of examples/fleets. kubefleet-e2e.test.ts has the third one. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { memberClusters, memberNamespace, works, type MemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { startFleet } from '@flotilla/fleet';
import { parseFleetFile, type FleetShape } from '@flotilla/fleet/file';
import { startServer } from '@flotilla/fleet/server';
import { administrator, apiVersionOf, configMaps, nodes } from '@flotilla/kube';
import { configMap, startTestFleet } from '@flotilla/testkit';

const folder = mkdtempSync(join(tmpdir(), 'flotilla-examples-'));

after(() => rmSync(folder, { recursive: true }));

function shapeOf(name: string, resolveFile?: (path: string) => string): FleetShape {
  const text = readFileSync(resolve(import.meta.dirname, '../../examples/fleets', name), 'utf8');
  return parseFleetFile(text, { name, ...(resolveFile && { resolveFile }) });
}

function isJoined({ status }: MemberCluster): boolean {
  return status?.conditions?.some(({ type, status: holds }) => type === 'Joined' && holds === 'True') ?? false;
}

describe('hundred.yaml', () => {
  test('is a fleet of 100 clusters in five regions', async () => {
    const fleet = await startTestFleet({ shape: shapeOf('hundred.yaml') });
    const { items } = await fleet.hub.list(memberClusters);
    const joined = items.filter(isJoined);
    const regions = Object.groupBy(joined, ({ metadata }) => metadata.labels?.['region'] ?? '');
    assert.deepEqual(
      Object.entries(regions).map(([region, members]) => [region, members?.length]),
      ['asia', 'east', 'edge', 'north', 'west'].map((region) => [region, 20]),
    );
    const edge = items.find(({ metadata }) => metadata.name === 'edge-07');
    assert.deepEqual(edge?.spec.taints, [{ key: 'edge', value: 'true', effect: 'NoSchedule' }]);
    const found = (await fleet.member('north-13').list(nodes)).items.map(({ metadata: { labels } }) => [
      labels?.['topology.kubernetes.io/zone'],
      labels?.['node.kubernetes.io/instance-type'],
    ]);
    assert.deepEqual(found, [
      ['northeurope-1', 'Standard_D4s_v5'],
      ['northeurope-2', 'Standard_D8s_v5'],
    ]);
    await fleet.stop();
  });
});

describe('with-real-cluster.yaml', () => {
  test('joins a cluster of its own kubeconfig, applies Works there, and lets it leave when it is removed', async () => {
    const real = await startServer();
    const kubeconfig = join(folder, 'real');
    writeFileSync(kubeconfig, real.kubeconfig);
    const dataDirectory = join(folder, 'data');
    const shape = shapeOf('with-real-cluster.yaml', () => kubeconfig);
    const fleet = await startFleet({ dataDirectory, shape });
    const hub = await fleet.hub.client();
    await until(hub, 'real', isJoined);
    const metadata = { name: 'app', namespace: memberNamespace('real') };
    const workload = { manifests: [configMap('applied')] };
    await hub.create(works, { apiVersion: apiVersionOf(works), kind: works.kind, metadata, spec: { workload } });
    const cluster = await real.clientAs(administrator);
    for await (const { object } of cluster.watch(configMaps, { signal: new AbortController().signal })) {
      if (object.metadata.name === 'applied') break;
    }
    await hub.close();
    await fleet.stop();
    const without = await startFleet({
      dataDirectory,
      shape: parseFleetFile('members: [{ names: "simulated-{1..2}" }]', { name: 'x' }),
    });
    await without.othersLeft;
    const left = await without.hub.client();
    const { items } = await left.list(memberClusters);
    assert.deepEqual(
      items.map(({ metadata: { name } }) => name),
      ['simulated-1', 'simulated-2'],
    );
    await Promise.all([left.close(), cluster.close()]);
    await without.stop();
    await real.stop();
  });
});

async function until(hub: Client, name: string, isRight: (member: MemberCluster) => boolean): Promise<void> {
  const signal = new AbortController().signal;
  for await (const { type, object } of hub.watch(memberClusters, { fieldSelector: `metadata.name=${name}`, signal })) {
    if (type !== 'BOOKMARK' && isRight(object)) return;
  }
}
