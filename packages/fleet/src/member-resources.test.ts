import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { memberClusters } from '@flotilla/api';
import { deployments, namespaces } from '@flotilla/kube';
import { startTestFleet, type TestFleet } from '@flotilla/testkit';
import { defaultMemberShape, shapeOfMembers } from './file/fleet-shape.ts';

const key = { namespace: 'default', name: 'web' };

describe('what a member reports', () => {
  let fleet: TestFleet;
  before(async () => {
    const shape = defaultMemberShape('oslo');
    const properties = {
      ...shape.properties,
      provider: 'default' as const,
      namespaces: true,
      availableResources: true,
    };
    const member = { ...shape, properties, nodes: [{ count: 2 }] };
    fleet = await startTestFleet({ shape: { ...shapeOfMembers(0), members: [member] } });
  });
  after(() => fleet.stop());

  const reported = async () => {
    await fleet.settle();
    await fleet.clock.advance(2 * 60_000);
    await fleet.settle();
    const { status } = await fleet.hub.get(memberClusters, { name: 'oslo' });
    return status;
  };
  const available = async () => {
    const { cpu, memory } = (await reported())?.resourceUsage?.available ?? {};
    return [cpu, memory];
  };

  test('moves with the pods that are placed there', async () => {
    assert.deepEqual(await available(), ['7800m', '30Gi']);
    const labels = { app: 'web' };
    const resources = { requests: { cpu: '300m', memory: '1Gi' } };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx', resources }] } };
    const spec = { replicas: 3, selector: { matchLabels: labels }, template };
    const member = fleet.member('oslo');
    await member.create(deployments, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...key }, spec });
    assert.deepEqual(await available(), ['6900m', '27Gi']);
    await member.patch(deployments, key, { type: 'merge', value: { spec: { replicas: 1 } } });
    assert.deepEqual(await available(), ['7500m', '29Gi']);
    await member.delete(deployments, key);
    assert.deepEqual(await available(), ['7800m', '30Gi']);
  });

  test('names its namespaces', async () => {
    const metadata = { name: 'harbour' };
    await fleet.member('oslo').create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
    assert.ok('harbour' in ((await reported())?.namespaces ?? {}));
  });
});
