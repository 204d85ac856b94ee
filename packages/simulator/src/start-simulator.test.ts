/** Runs the simulator against a real server in memory, with a manual clock. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { apiVersionOf, type JsonObject, type Kind } from '@flotilla/kube';
import { settle, type ManualClock } from '@flotilla/testkit';
import { startSimulatedCluster } from './cluster.testing.ts';
import { kinds, type Condition } from './kinds.ts';
import { networkKinds } from './network-kinds.ts';
import { installNodes } from './nodes/install-nodes.ts';
import type { RunningSimulator } from './start-simulator.ts';

const selector = { matchLabels: { app: 'web' } };

function template(image: string, more: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }], ...more } };
}

describe('a simulated cluster', () => {
  let clock: ManualClock;
  let client: Client;
  let simulator: RunningSimulator;
  let revision: () => number;
  let stop: () => Promise<void>;

  before(async () => {
    ({ clock, client, simulator, revision, stop } = await startSimulatedCluster());
  });
  after(() => stop());

  async function create(kind: Kind, name: string, spec: JsonObject): Promise<JsonObject> {
    const metadata = { name, namespace: 'default' };
    await client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec });
    return statusOf(kind, name);
  }

  async function change(kind: Kind, name: string, spec: JsonObject): Promise<JsonObject> {
    await client.patch(kind, { name, namespace: 'default' }, { type: 'merge', value: { spec } });
    return statusOf(kind, name);
  }

  /** The status without its conditions, once the simulator is at rest. */
  async function statusOf(kind: Kind, name: string): Promise<JsonObject> {
    await settle(clock, simulator.isAtRest, { stepMs: 1 });
    const { status } = await client.get(kind, { name, namespace: 'default' });
    const { conditions: _conditions, ...rest } = status as JsonObject;
    return rest;
  }

  async function conditionsOf(kind: Kind, name: string): Promise<string[]> {
    const { status } = await client.get(kind, { name, namespace: 'default' });
    const { conditions } = status as { conditions: Condition[] };
    return conditions.map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);
  }

  test('has nodes that are ready, untainted and have resources', async () => {
    const { items } = await client.list(kinds.node);
    assert.equal(items.length, 3);
    for (const { spec, status } of items) {
      const { conditions, allocatable } = status as { conditions: Condition[]; allocatable: JsonObject };
      assert.equal(conditions.find(({ type }) => type === 'Ready')?.status, 'True');
      assert.equal(allocatable['cpu'], '3900m');
      assert.equal(spec?.taints, undefined);
    }
  });

  test('makes Deployments available, with the status that Kubernetes writes', async () => {
    const spec = { replicas: 3, selector, template: template('nginx') };
    const all = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
    assert.deepEqual(await create(kinds.deployment, 'web', spec), {
      observedGeneration: 1,
      ...all,
      terminatingReplicas: 0,
    });
    assert.deepEqual(await conditionsOf(kinds.deployment, 'web'), [
      'Available=True MinimumReplicasAvailable',
      'Progressing=True NewReplicaSetAvailable',
    ]);
    assert.deepEqual(await change(kinds.deployment, 'web', { replicas: 0 }), {
      observedGeneration: 2,
      terminatingReplicas: 0,
    });
  });

  test('stops a rollout to an image that does not exist where its strategy stops it', async () => {
    await create(kinds.deployment, 'rolling', { replicas: 4, selector, template: template('nginx:1') });
    const status = await change(kinds.deployment, 'rolling', { template: template('random-image-name') });
    const counts = { replicas: 5, updatedReplicas: 2, readyReplicas: 3, availableReplicas: 3, unavailableReplicas: 2 };
    assert.deepEqual(status, { observedGeneration: 2, ...counts, terminatingReplicas: 0 });
    assert.deepEqual(await conditionsOf(kinds.deployment, 'rolling'), [
      'Available=True MinimumReplicasAvailable',
      'Progressing=True ReplicaSetUpdated',
    ]);
    await change(kinds.deployment, 'rolling', { template: template('nginx:2') });
    assert.equal((await conditionsOf(kinds.deployment, 'rolling'))[1], 'Progressing=True NewReplicaSetAvailable');
  });

  test('never makes a Deployment available whose image does not exist, and reports the exceeded deadline', async () => {
    const spec = { replicas: 2, selector, template: template('registry.test/x/random-image-name:v1') };
    const status = await create(kinds.deployment, 'bad', { ...spec, progressDeadlineSeconds: 60 });
    assert.deepEqual(status, {
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      unavailableReplicas: 2,
      terminatingReplicas: 0,
    });
    assert.deepEqual(await conditionsOf(kinds.deployment, 'bad'), [
      'Available=False MinimumReplicasUnavailable',
      'Progressing=True ReplicaSetUpdated',
    ]);
    await clock.advance(61_000);
    await settle(clock, simulator.isAtRest, { stepMs: 1 });
    assert.equal((await conditionsOf(kinds.deployment, 'bad'))[1], 'Progressing=False ProgressDeadlineExceeded');
  });

  test('replaces the pods of a StatefulSet from the last to the first, as far as they start', async () => {
    const spec = { replicas: 3, selector, serviceName: 'db', template: template('db:1') };
    const first = await create(kinds.statefulSet, 'db', spec);
    const { currentRevision, ...rest } = first;
    assert.match(currentRevision as string, /^db-[a-z0-9]+$/);
    const whole = { replicas: 3, readyReplicas: 3, currentReplicas: 3, updatedReplicas: 3, availableReplicas: 3 };
    assert.deepEqual(rest, { observedGeneration: 1, ...whole, updateRevision: currentRevision, collisionCount: 0 });
    const stuck = await change(kinds.statefulSet, 'db', { template: template('random-image-name') });
    assert.equal(stuck['currentRevision'], currentRevision);
    assert.notEqual(stuck['updateRevision'], currentRevision);
    assert.deepEqual([stuck['readyReplicas'], stuck['currentReplicas'], stuck['updatedReplicas']], [2, 2, 1]);
    const bad = await create(kinds.statefulSet, 'bad', { ...spec, template: template('random-image-name') });
    assert.deepEqual([bad['replicas'], bad['readyReplicas'], bad['availableReplicas']], [1, undefined, 0]);
  });

  test('starts pods with claims when their class gives them volumes', async () => {
    const withClass = (storageClassName: string) => ({
      replicas: 2,
      selector,
      serviceName: 'disk',
      template: template('db:1'),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    });
    const served = await create(kinds.statefulSet, 'disk', withClass('standard'));
    assert.equal(served['availableReplicas'], 2);
    const { status } = await client.get(kinds.volumeClaim, { namespace: 'default', name: 'data-disk-1' });
    assert.equal(status?.phase, 'Bound');
    const waiting = await create(kinds.statefulSet, 'diskless', withClass('absent'));
    assert.deepEqual([waiting['replicas'], waiting['availableReplicas']], [1, 0]);
  });

  test('runs a DaemonSet on every node that it selects, and on new ones', async () => {
    const everywhere = await create(kinds.daemonSet, 'agent', { selector, template: template('agent') });
    assert.deepEqual([everywhere['desiredNumberScheduled'], everywhere['numberAvailable']], [3, 3]);
    const nodeSelector = { 'kubernetes.io/hostname': 'node-2' };
    const one = await create(kinds.daemonSet, 'one', { selector, template: template('agent', { nodeSelector }) });
    assert.deepEqual([one['desiredNumberScheduled'], one['numberReady']], [1, 1]);
    await installNodes(client, new Date(clock.now()), [{ count: 4 }]);
    const more = await statusOf(kinds.daemonSet, 'agent');
    assert.deepEqual([more['desiredNumberScheduled'], more['updatedNumberScheduled']], [4, 4]);
    const stuck = await change(kinds.daemonSet, 'agent', { template: template('random-image-name') });
    assert.deepEqual([stuck['numberUnavailable'], stuck['updatedNumberScheduled'], stuck['numberReady']], [1, 1, 3]);
  });

  test('finishes Jobs, except those whose image does not exist and those that are suspended', async () => {
    const job = (image: string, more: JsonObject = {}) => ({
      completions: 2,
      ...more,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'x', image }] } },
    });
    const finished = await create(kinds.job, 'good', job('busybox'));
    assert.equal(finished['succeeded'], 2);
    const done = ['SuccessCriteriaMet=True CompletionsReached', 'Complete=True CompletionsReached'];
    assert.deepEqual(await conditionsOf(kinds.job, 'good'), done);
    const stuck = await create(kinds.job, 'bad', job('random-image-name'));
    assert.deepEqual([stuck['active'], stuck['succeeded']], [1, undefined]);
    const waiting = await create(kinds.job, 'later', job('busybox', { suspend: true, completionMode: 'Indexed' }));
    assert.equal(waiting['startTime'], undefined);
    assert.deepEqual(await conditionsOf(kinds.job, 'later'), ['Suspended=True JobSuspended']);
    assert.equal((await change(kinds.job, 'later', { suspend: false }))['completedIndexes'], '0,1');
    assert.deepEqual(await conditionsOf(kinds.job, 'later'), ['Suspended=False JobResumed', ...done]);
  });

  test('gives a Service of type LoadBalancer an address, and removes it with the type', async () => {
    const ports = [{ port: 80 }];
    const status = await create(networkKinds.service, 'web', { type: 'LoadBalancer', ports });
    const { ingress } = status['loadBalancer'] as { ingress: { ip: string; ipMode: string }[] };
    assert.match(ingress[0]?.ip ?? '', /^198\.1[89]\.\d+\.\d+$/);
    const changed = await change(networkKinds.service, 'web', { type: 'ClusterIP' });
    assert.deepEqual(changed, { loadBalancer: {} });
  });

  test('allows no disruption of pods that do not exist', async () => {
    const none = { matchLabels: { app: 'none' } };
    const status = await create(kinds.disruptionBudget, 'web', { minAvailable: 2, selector: none });
    const counts = { disruptionsAllowed: 0, currentHealthy: 0, expectedPods: 0, desiredHealthy: 2 };
    assert.deepEqual(status, { observedGeneration: 1, ...counts });
    assert.deepEqual(await conditionsOf(kinds.disruptionBudget, 'web'), ['DisruptionAllowed=False InsufficientPods']);
  });

  test('writes nothing while no object changes', async () => {
    // By then kubelets have given up on images that do not exist.
    await clock.advance(60_000);
    await settle(clock, simulator.isAtRest, { stepMs: 1 });
    const before = revision();
    await clock.advance(3_600_000);
    await settle(clock, simulator.isAtRest, { stepMs: 1 });
    assert.equal(revision(), before);
  });
});
