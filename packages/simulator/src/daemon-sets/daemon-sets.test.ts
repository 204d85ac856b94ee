/** DaemonSets on a real server in memory; the test acts as scheduler and kubelet. What Kubernetes writes is compared in test/simulator. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatTime, goJson, type JsonObject } from '@flotilla/kube';
import { startTestCluster, type TestCluster } from '../cluster.testing.ts';
import { kinds, type Pod } from '../kinds.ts';
import { conditionTaintController } from '../nodes/condition-taints.ts';
import { daemonSetController } from './controller.ts';
import { nodeOf } from './daemon-pod.ts';

const namespace = 'default';

function template(app: string, image: string, more: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: 'agent', image }], ...more } };
}

describe('a DaemonSet', () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await startTestCluster([daemonSetController(), conditionTaintController]);
    for (const name of ['n1', 'n2', 'n3']) await addNode(name);
  });
  after(() => cluster.stop());

  async function addNode(name: string): Promise<void> {
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    await cluster.client.create(kinds.node, { apiVersion: 'v1', kind: 'Node', metadata: { name }, status });
    await cluster.rest();
  }
  async function create(name: string, spec: JsonObject = {}): Promise<void> {
    const selector = { matchLabels: { app: name } };
    await cluster.create(kinds.daemonSet, name, { selector, template: template(name, 'agent:1'), ...spec });
  }
  async function podsOf(app: string): Promise<readonly Pod[]> {
    const { items } = await cluster.client.list(kinds.pod, { namespace, labelSelector: `app=${app}` });
    return items.toSorted((a, b) => ((nodeOf(a) ?? '') < (nodeOf(b) ?? '') ? -1 : 1));
  }
  /** Nodes with the images of their pods. */
  async function imagesOf(app: string): Promise<string[]> {
    return (await podsOf(app)).map((pod) => `${nodeOf(pod)} ${pod.spec?.containers?.[0]?.image}`);
  }
  async function writeStatus(pod: Pod, phase: string): Promise<void> {
    const isReady = phase === 'Running' ? 'True' : 'False';
    const lastTransitionTime = formatTime(new Date(cluster.clock.now()));
    const status = { phase, conditions: [{ type: 'Ready', status: isReady, lastTransitionTime }] };
    await cluster.client.update(kinds.pod, { ...pod, status }, { subresource: 'status' });
    await cluster.rest();
  }
  async function readyAll(app: string): Promise<void> {
    for (const pod of await podsOf(app)) if (pod.status?.phase === 'Pending') await writeStatus(pod, 'Running');
  }
  const statusOf = async (name: string) => (await cluster.get(kinds.daemonSet, name)).status;

  test('has a pod for each node, and for one that comes later', async () => {
    await create('each');
    assert.deepEqual((await podsOf('each')).map(nodeOf), ['n1', 'n2', 'n3']);
    await readyAll('each');
    await addNode('n4');
    assert.deepEqual((await podsOf('each')).map(nodeOf), ['n1', 'n2', 'n3', 'n4']);
    const { observedGeneration: _generation, ...counts } = (await statusOf('each')) ?? {};
    assert.deepEqual(counts, {
      currentNumberScheduled: 4,
      desiredNumberScheduled: 4,
      numberAvailable: 3,
      numberMisscheduled: 0,
      numberReady: 3,
      numberUnavailable: 1,
      updatedNumberScheduled: 4,
    });
    await cluster.client.delete(kinds.node, { name: 'n4' });
  });

  test('keeps its template as bytes that equal those of Go, with sorted keys', async () => {
    await create('bytes');
    const { items } = await cluster.client.list(kinds.controllerRevision, { namespace, labelSelector: 'app=bytes' });
    assert.equal(JSON.stringify(items[0]?.data), goJson(items[0]?.data ?? {}));
  });

  test('leaves a node with a NoExecute taint that it does not tolerate', async () => {
    await create('taint');
    const taint = (taints: JsonObject[] | null) =>
      cluster.client.patch(kinds.node, { name: 'n2' }, { type: 'merge', value: { spec: { taints } } });
    const [, second] = await podsOf('taint');
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: second?.metadata ?? {},
      target: { kind: 'Node', name: 'n2' },
    };
    await cluster.client.create(kinds.pod, binding, { subresource: 'binding' });
    await taint([{ key: 'broken', effect: 'NoExecute' }]);
    await cluster.rest();
    const leaving = (await podsOf('taint')).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    assert.deepEqual(leaving.map(nodeOf), ['n2']);
    await taint(null);
  });

  test('replaces as many pods at a time as may be unavailable', async () => {
    await create('roll', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } });
    await readyAll('roll');
    await cluster.patch(kinds.daemonSet, 'roll', { spec: { template: template('roll', 'agent:2') } });
    assert.deepEqual(await imagesOf('roll'), ['n1 agent:2', 'n2 agent:2', 'n3 agent:1']);
    await readyAll('roll');
    assert.deepEqual(await imagesOf('roll'), ['n1 agent:2', 'n2 agent:2', 'n3 agent:2']);
  });

  test('starts a new pod beside the old one if it may surge', async () => {
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
    await create('surge', { updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
    await readyAll('surge');
    await cluster.patch(kinds.daemonSet, 'surge', { spec: { template: template('surge', 'agent:2') } });
    const surging = ['n1 agent:1', 'n1 agent:2', 'n2 agent:1', 'n3 agent:1'];
    assert.deepEqual((await imagesOf('surge')).toSorted(), surging);
    await readyAll('surge');
    const next = ['n1 agent:2', 'n2 agent:1', 'n2 agent:2', 'n3 agent:1'];
    assert.deepEqual((await imagesOf('surge')).toSorted(), next);
  });

  test('replaces a pod that fails, each time later', async () => {
    const nodeSelector = { only: 'here' };
    await cluster.client.patch(
      kinds.node,
      { name: 'n1' },
      { type: 'merge', value: { metadata: { labels: nodeSelector } } },
    );
    await create('fail', { template: template('fail', 'agent:1', { nodeSelector }) });
    const failsFor = async (): Promise<number> => {
      const [pod] = await podsOf('fail');
      assert.ok(pod !== undefined);
      const begin = cluster.clock.now();
      await writeStatus(pod, 'Failed');
      while ((await podsOf('fail'))[0]?.metadata.uid === pod.metadata.uid) {
        await cluster.clock.advance(500);
        await cluster.rest();
      }
      return Math.round((cluster.clock.now() - begin) / 1000);
    };
    const seconds: number[] = [];
    for (let count = 0; count < 5; count++) seconds.push(await failsFor());
    assert.deepEqual(seconds, [0, 1, 2, 4, 8]);
  });
});
