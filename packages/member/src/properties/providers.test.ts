import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { namespaces, nodes } from '@flotilla/kube';
import { HeartbeatScene } from '../heartbeat/heartbeat.testing.ts';
import { ClusterProvider } from './cluster-provider.ts';
import { CostProvider } from './cost-provider.ts';
import { parsePriceTable, PriceTableError, type PriceSource } from './price-table.ts';

const day = new Date('2026-01-01T00:00:00Z');

function prices(value: object): PriceSource {
  return { current: () => Promise.resolve(parsePriceTable(value as never, day)) };
}

async function addNode(scene: HeartbeatScene, name: string, labels: Record<string, string> = {}): Promise<void> {
  const status = { capacity: { cpu: '4', memory: '16Gi' }, allocatable: { cpu: '3', memory: '12Gi' } };
  await scene.member.create(nodes, { metadata: { name, labels }, status });
}

/** Values by name. */
async function properties(scene: HeartbeatScene): Promise<Record<string, string>> {
  const { status } = await scene.imc();
  return Object.fromEntries(Object.entries(status?.properties ?? {}).map(([name, { value }]) => [name, value]));
}

describe('the default provider', () => {
  test('reports nodes, resources, the version and the authority of the server', async () => {
    const scene = await HeartbeatScene.start({ provider: new ClusterProvider({ authority: 'PEM' }) });
    await addNode(scene, 'a');
    await scene.clock.advance(60_000);
    const reported = await properties(scene);
    assert.equal(reported['kubernetes-fleet.io/node-count'], '1');
    assert.match(reported['k8s.io/k8s-version'] ?? '', /^v1\.36\./);
    assert.equal(reported['k8s.io/cluster-certificate-authority-data'], 'PEM');
    assert.equal(Object.keys(reported).length, 3);
    const { resourceUsage, namespaces: reportedNamespaces } = (await scene.imc()).status ?? {};
    assert.deepEqual(resourceUsage?.capacity, { cpu: '4', memory: '16Gi' });
    assert.deepEqual(resourceUsage?.available, { cpu: '3', memory: '12Gi' });
    assert.equal(reportedNamespaces, undefined);
    await scene.stop();
  });

  test('reads the version every 15 minutes, and keeps it if that fails', async () => {
    const scene = await HeartbeatScene.start({ provider: new ClusterProvider() });
    let asked = 0;
    scene.onMember = ({ path }) => {
      if (path === '/version') asked++;
      if (path === '/version') throw new Error('no answer');
      return undefined;
    };
    await scene.clock.advance(14 * 60_000);
    assert.equal(asked, 0);
    await scene.clock.advance(2 * 60_000);
    assert.ok(asked > 0);
    assert.match((await properties(scene))['k8s.io/k8s-version'] ?? '', /^v1\.36\./);
    await scene.stop();
  });

  test('does not watch pods if available resources are not reported', async () => {
    const scene = await HeartbeatScene.start({ provider: new ClusterProvider({ countsAvailable: false }) });
    const { resourceUsage } = (await scene.imc()).status ?? {};
    assert.deepEqual(Object.keys(resourceUsage ?? {}), ['allocatable', 'capacity', 'observationTime']);
    await scene.stop();
  });

  test('namespaces are reported up to the limit', async () => {
    const scene = await HeartbeatScene.start({ provider: new ClusterProvider(), reportsNamespaces: true });
    const { status } = await scene.imc();
    assert.equal(status?.namespaces?.['default'], '');
    assert.equal((await scene.conditions())[2], 'NamespaceCollectionSucceeded True Succeeded');
    for (let index = 0; index < 200; index++) {
      await scene.member.create(namespaces, { metadata: { name: `n${index}` } });
    }
    await scene.clock.advance(60_000);
    assert.equal(Object.keys((await scene.imc()).status?.namespaces ?? {}).length, 200);
    assert.equal((await scene.conditions())[2], 'NamespaceCollectionSucceeded False Degraded');
    await scene.stop();
  });
});

describe('the cost provider', () => {
  const table = { prices: { D4: 0.2 }, regions: { west: { D4: 0.4 } } };

  test('reports nodes by SKU, and the cost of a core and a gigabyte', async () => {
    const provider = new CostProvider({ prices: prices(table), region: 'east' });
    const scene = await HeartbeatScene.start({ provider });
    await addNode(scene, 'a', { 'beta.kubernetes.io/instance-type': 'D4' });
    await addNode(scene, 'b', { 'beta.kubernetes.io/instance-type': 'D4' });
    await scene.clock.advance(60_000);
    const reported = await properties(scene);
    assert.equal(reported['kubernetes.azure.com/vm-sizes/D4/count'], '2');
    assert.equal(reported['kubernetes.azure.com/per-cpu-core-cost'], '0.050');
    assert.equal(reported['kubernetes.azure.com/per-gb-memory-cost'], '0.013');
    assert.equal((await scene.conditions())[2], 'AKSClusterCostPropertiesCollectionSucceeded True CostsCalculated');
    await scene.clock.advance(24 * 3_600_000);
    assert.equal(
      (await scene.conditions())[2],
      'AKSClusterCostPropertiesCollectionSucceeded True CostsCalculationDegraded',
    );
    await scene.stop();
  });

  test('reports no costs if a SKU has no price', async () => {
    const scene = await HeartbeatScene.start({ provider: new CostProvider({ prices: prices(table), region: 'east' }) });
    await addNode(scene, 'a');
    await scene.clock.advance(60_000);
    const reported = await properties(scene);
    assert.equal(reported['kubernetes.azure.com/vm-sizes/undefined/count'], '1');
    assert.equal(Object.hasOwn(reported, 'kubernetes.azure.com/per-cpu-core-cost'), false);
    assert.equal(
      (await scene.conditions())[2],
      'AKSClusterCostPropertiesCollectionSucceeded False CostsCalculationFailed',
    );
    await scene.stop();
  });

  test('does not start if prices depend on a region and no node has a region label', async () => {
    const scene = await HeartbeatScene.start({ provider: new CostProvider({ prices: prices(table) }) });
    const [started] = (await scene.imc()).status?.conditions ?? [];
    assert.equal(started?.message, 'Failed to start the property provider: no nodes found with the region label');
    await scene.stop();
  });

  test('reports the problem of an invalid price table, and all other properties', async () => {
    const broken: PriceSource = { current: () => Promise.reject(new PriceTableError('prices is not an object')) };
    const scene = await HeartbeatScene.start({ provider: new CostProvider({ prices: broken, region: 'east' }) });
    const message = (await scene.imc()).status?.conditions?.[2]?.message;
    assert.match(message ?? '', /the price table is invalid: prices is not an object$/);
    assert.equal((await properties(scene))['kubernetes-fleet.io/node-count'], '0');
    await scene.stop();
  });

  test('omits costs if reportsCosts is false', async () => {
    const scene = await HeartbeatScene.start({ provider: new CostProvider({ reportsCosts: false }) });
    assert.equal((await scene.conditions()).length, 2);
    await scene.stop();
  });
});
