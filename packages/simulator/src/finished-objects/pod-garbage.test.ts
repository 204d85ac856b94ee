/** Garbage collection of pods on a real server in memory. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestCluster, type TestCluster } from '../cluster.testing.ts';
import { kinds, type Node, type Pod } from '../kinds.ts';
import { podGarbageController } from './pod-garbage-controller.ts';

describe('garbage collection of pods', () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await startTestCluster([podGarbageController(2)]);
  });
  after(() => cluster.stop());

  const containers = [{ name: 'web', image: 'nginx' }];
  const createPod = (name: string, nodeName?: string, finalizers?: string[]): Promise<Pod> =>
    cluster.create(
      kinds.pod,
      name,
      { containers, ...(nodeName !== undefined && { nodeName }) },
      finalizers ? { finalizers } : {},
    );
  const createNode = async (name: string): Promise<void> => {
    const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name } };
    await cluster.client.create(kinds.node, node);
    await cluster.rest();
  };
  const names = async (): Promise<(string | undefined)[]> =>
    (await cluster.list(kinds.pod)).map(({ metadata }) => metadata.name);
  const pass = async (seconds: number): Promise<void> => {
    await cluster.clock.advance(seconds * 1000);
    await cluster.rest();
  };

  test('deletes the pods of a node that has been gone for 40 seconds', async () => {
    await createNode('here');
    await createNode('gone');
    await createPod('stays', 'here');
    await createPod('goes', 'gone', ['example.com/keep']);
    await cluster.client.delete(kinds.node, { name: 'gone' });
    await cluster.rest();
    await pass(39);
    assert.equal((await cluster.get(kinds.pod, 'goes')).metadata.deletionTimestamp, undefined);
    await pass(2);
    const { status, metadata } = await cluster.get(kinds.pod, 'goes');
    assert.ok(metadata.deletionTimestamp !== undefined);
    assert.equal(status?.phase, 'Failed');
    const target = status.conditions?.find(({ type }) => type === 'DisruptionTarget');
    assert.deepEqual(
      [target?.status, target?.reason, target?.message],
      ['True', 'DeletionByPodGC', 'PodGC: node no longer exists'],
    );
    const before = cluster.revision();
    await pass(3600);
    assert.equal(cluster.revision(), before, 'a pod that a finalizer keeps causes no more writes');
    await cluster.patch(kinds.pod, 'goes', { metadata: { finalizers: null } });
    assert.deepEqual(await names(), ['stays']);
  });

  test('keeps the pods of a node that comes back in time', async () => {
    await createNode('flaky');
    await createPod('patient', 'flaky');
    await cluster.client.delete(kinds.node, { name: 'flaky' });
    await pass(30);
    await createNode('flaky');
    await pass(600);
    assert.deepEqual(await names(), ['patient', 'stays']);
  });

  test('ends pods on a node that is out of service', async () => {
    await cluster.remove(kinds.pod, 'patient');
    assert.deepEqual(await names(), ['patient', 'stays'], 'waits for a kubelet');
    const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute', value: 'nodeshutdown' }];
    const value = { spec: { taints } };
    await cluster.client.patch(kinds.node, { name: 'flaky' }, { type: 'merge', value });
    await cluster.rest();
    assert.deepEqual(await names(), ['stays']);
  });

  test('marks a pod as failed that was deleted before it had a node', async () => {
    await createPod('early', undefined, ['example.com/keep']);
    await cluster.remove(kinds.pod, 'early');
    assert.equal((await cluster.get(kinds.pod, 'early')).status?.phase, 'Pending');
    await pass(21);
    assert.equal((await cluster.get(kinds.pod, 'early')).status?.phase, 'Failed');
    await cluster.patch(kinds.pod, 'early', { metadata: { finalizers: null } });
  });

  test('keeps a number of finished pods, and deletes the oldest beyond it, evicted ones first', async () => {
    for (const name of ['first', 'second', 'third']) {
      await createPod(name, 'here');
      await pass(1);
    }
    const finish = (name: string, more = {}): Promise<void> =>
      cluster.patch(kinds.pod, name, { status: { phase: 'Failed', ...more } }, 'status');
    await finish('first');
    await finish('second', { reason: 'Evicted' });
    await finish('third');
    assert.deepEqual(await names(), ['first', 'stays', 'third']);
    await finish('stays');
    assert.deepEqual(await names(), ['first', 'third']);
  });
});
