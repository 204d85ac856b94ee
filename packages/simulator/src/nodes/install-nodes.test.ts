import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { startTestServer } from '@flotilla/testkit';
import { kinds, type Node } from '../kinds.ts';
import { installNodes } from './install-nodes.ts';
import { machineOf } from './instance-types.ts';
import type { NodeShape } from './node-shape.ts';

const now = new Date('2026-01-01T00:00:00Z');

describe('the nodes of a simulated cluster', () => {
  let client: Client;
  let revision: () => number;
  let stop: () => Promise<void>;

  before(async () => {
    const server = await startTestServer();
    client = server.connect();
    revision = () => server.store.revision;
    stop = () => server.stop();
  });
  after(() => stop());

  const get = (name: string): Promise<Node> => client.get(kinds.node, { name });
  const names = async () => (await client.list(kinds.node)).items.map(({ metadata }) => metadata.name);
  const west: NodeShape = {
    count: 2,
    instanceType: 'Standard_D8s_v5',
    region: 'westus',
    zone: 'westus-1',
    labels: { pool: 'blue' },
    taints: [{ key: 'pool', value: 'blue', effect: 'NoSchedule' }],
  };

  test('have the labels, taints, capacity and addresses of their shape', async () => {
    await installNodes(client, now, [west, { name: 'gpu', capacity: { 'nvidia.com/gpu': '4', cpu: '64' } }]);
    assert.deepEqual(await names(), ['gpu-1', 'node-1', 'node-2']);
    const { metadata, spec, status } = await get('node-2');
    assert.deepEqual(metadata.labels, {
      'beta.kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/instance-type': 'Standard_D8s_v5',
      'beta.kubernetes.io/os': 'linux',
      'failure-domain.beta.kubernetes.io/region': 'westus',
      'failure-domain.beta.kubernetes.io/zone': 'westus-1',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': 'node-2',
      'kubernetes.io/os': 'linux',
      'node.kubernetes.io/instance-type': 'Standard_D8s_v5',
      pool: 'blue',
      'topology.kubernetes.io/region': 'westus',
      'topology.kubernetes.io/zone': 'westus-1',
    });
    assert.deepEqual(spec?.taints, [{ key: 'pool', value: 'blue', effect: 'NoSchedule' }]);
    assert.deepEqual(status?.capacity, { cpu: '8', 'ephemeral-storage': '100Gi', memory: '32Gi', pods: '110' });
    assert.deepEqual(status.allocatable, { cpu: '7900m', 'ephemeral-storage': '90Gi', memory: '31Gi', pods: '110' });
    const ranges = new Set((await client.list(kinds.node)).items.map((node) => node.spec?.podCIDR));
    assert.equal(ranges.size, 3);
    const gpu = (await get('gpu-1')).status?.allocatable;
    assert.deepEqual([gpu?.['nvidia.com/gpu'], gpu?.['cpu']], ['4', '63900m']);
  });

  test('stay as they are while their shape does, with what users changed', async () => {
    await client.patch(
      kinds.node,
      { name: 'node-1' },
      { type: 'merge', value: { metadata: { labels: { mine: 'yes' } } } },
    );
    const before = revision();
    await installNodes(client, now, [west, { name: 'gpu', capacity: { 'nvidia.com/gpu': '4', cpu: '64' } }]);
    assert.equal(revision(), before);
  });

  test('follow a changed shape, keep what users added, and go with it', async () => {
    const value = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'real' } };
    await client.create(kinds.node, value);
    await installNodes(client, now, [{ count: 3, instanceType: 'm5.2xlarge', region: 'eastus' }]);
    assert.deepEqual(await names(), ['node-1', 'node-2', 'node-3', 'real']);
    const { metadata, spec, status } = await get('node-1');
    assert.equal(metadata.labels?.['mine'], 'yes');
    assert.equal(metadata.labels['pool'], undefined);
    assert.equal(metadata.labels['topology.kubernetes.io/zone'], undefined);
    assert.equal(metadata.labels['topology.kubernetes.io/region'], 'eastus');
    assert.equal(spec?.taints, undefined);
    assert.deepEqual([status?.capacity?.['cpu'], status?.allocatable?.['memory']], ['8', '31Gi']);
    const ranges = new Set((await client.list(kinds.node)).items.map((node) => node.spec?.podCIDR));
    assert.equal(ranges.size, 4);
  });
});

test('an instance type says how many CPUs and how much memory a node has', () => {
  const machines = [
    'Standard_D4s_v3',
    'Standard_E16_v5',
    'c5.xlarge',
    'n2-standard-8',
    'r6g.large',
    'Standard_B2ats_v2',
  ];
  assert.deepEqual(
    machines.map((name) => machineOf(name)).map((machine) => [machine?.cpus, (machine?.memoryMi ?? 0) / 1024]),
    [
      [4, 16],
      [16, 128],
      [4, 8],
      [8, 32],
      [2, 16],
      [2, 1],
    ],
  );
  assert.equal(machineOf('Standard_D99999999999999999999s_v3'), undefined);
  assert.equal(machineOf('constructor'), undefined);
});
