/** HorizontalPodAutoscalers on a real server in memory; the test acts as kubelet and as the load. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestCluster, type TestCluster } from '../cluster.testing.ts';
import { kinds, type Pod } from '../kinds.ts';
import { replicaSetController } from '../replica-sets/controller.ts';
import { autoscalerController } from './controller.ts';

const usage = 'simulator.flotilla.dev/cpu-usage';
const noMetrics =
  'unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';

describe('a HorizontalPodAutoscaler', () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await startTestCluster([replicaSetController, autoscalerController()]);
  });
  after(() => cluster.stop());

  /** A set whose pods request 100 thousandths of a core, and use so many. */
  const createSet = (app: string, replicas: number, used?: string) =>
    cluster.create(kinds.replicaSet, app, {
      replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app }, ...(used !== undefined && { annotations: { [usage]: used } }) },
        spec: { containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '100m' } } }] },
      },
    });
  const createAutoscaler = (app: string, spec: JsonObject = {}) => {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: app };
    return cluster.create(kinds.autoscaler, app, { scaleTargetRef, maxReplicas: 10, ...spec });
  };
  const statusOf = async (app: string) => (await cluster.get(kinds.autoscaler, app)).status ?? {};
  const conditionsOf = async (app: string): Promise<string[]> =>
    ((await statusOf(app)).conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  const replicasOf = async (app: string) => (await cluster.get(kinds.replicaSet, app)).spec?.replicas;
  const podsOf = async (app: string): Promise<readonly Pod[]> =>
    (await cluster.livePods()).filter(({ metadata }) => metadata.labels?.['app'] === app);
  const now = () => new Date(cluster.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const makeReady = async (app: string): Promise<void> => {
    for (const { metadata, status } of await podsOf(app)) {
      if (status?.phase === 'Running') continue;
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: now() }];
      const value = { status: { phase: 'Running', startTime: now(), conditions } };
      await cluster.patch(kinds.pod, metadata.name ?? '', value, 'status');
    }
  };
  const load = async (app: string, used: string): Promise<void> => {
    for (const { metadata } of await podsOf(app)) {
      await cluster.patch(kinds.pod, metadata.name ?? '', { metadata: { annotations: { [usage]: used } } });
    }
  };
  const pass = async (seconds: number): Promise<void> => {
    await cluster.clock.advance(seconds * 1000);
    await cluster.rest();
  };

  test('reports that there are no metrics, as a cluster without a metrics API does', async () => {
    await createSet('plain', 2);
    await createAutoscaler('plain');
    assert.deepEqual(await conditionsOf('plain'), [
      'AbleToScale=True SucceededGetScale',
      'ScalingActive=False FailedGetResourceMetric',
    ]);
    const { currentReplicas, desiredReplicas, currentMetrics, conditions } = await statusOf('plain');
    assert.deepEqual([currentReplicas, desiredReplicas, currentMetrics], [2, 0, [{ type: '' }]]);
    const cause = `failed to get cpu utilization: ${noMetrics}`;
    assert.equal(conditions?.[1]?.message, `the HPA was unable to compute the replica count: ${cause}`);
    assert.deepEqual(
      await cluster.eventsAbout('plain').then((all) => all.filter((event) => event.startsWith('Failed'))),
      [
        `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${cause}`,
        `FailedGetResourceMetric: ${cause}`,
      ],
    );
  });

  test('keeps its target between its bounds even without metrics', async () => {
    await createSet('bounds', 7);
    await createAutoscaler('bounds', { minReplicas: 2, maxReplicas: 5 });
    assert.equal(await replicasOf('bounds'), 5);
    assert.equal((await conditionsOf('bounds'))[0], 'AbleToScale=True SucceededRescale');
    await pass(16);
    await cluster.patch(kinds.replicaSet, 'bounds', { spec: { replicas: 1 } });
    assert.equal(await replicasOf('bounds'), 2);
    const events = await cluster.eventsAbout('bounds');
    assert.ok(
      events.includes('SuccessfulRescale: New size: 5; reason: Current number of replicas above Spec.MaxReplicas'),
    );
    assert.ok(
      events.includes('SuccessfulRescale: New size: 2; reason: Current number of replicas below Spec.MinReplicas'),
    );
    await pass(16);
    await cluster.patch(kinds.replicaSet, 'bounds', { spec: { replicas: 0 } });
    assert.ok((await conditionsOf('bounds')).includes('ScalingActive=False ScalingDisabled'));
    assert.equal(await replicasOf('bounds'), 0);
  });

  test('reports a target that does not exist', async () => {
    await createAutoscaler('nothing');
    assert.deepEqual(await conditionsOf('nothing'), ['AbleToScale=False FailedGetScale']);
    assert.deepEqual(await cluster.eventsAbout('nothing'), ['FailedGetScale: replicasets.apps "nothing" not found']);
    await cluster.remove(kinds.autoscaler, 'nothing');
  });

  test('grows with what pods say they use, at most to twice as many at once', async () => {
    await createSet('busy', 3, '200m');
    await makeReady('busy');
    await createAutoscaler('busy');
    assert.equal(await replicasOf('busy'), 6);
    const { currentMetrics } = await statusOf('busy');
    const current = { averageUtilization: 200, averageValue: '200m' };
    assert.deepEqual(currentMetrics, [{ type: 'Resource', resource: { name: 'cpu', current } }]);
    await makeReady('busy');
    await pass(16);
    assert.equal(await replicasOf('busy'), 10);
    await makeReady('busy');
    await pass(16);
    assert.deepEqual(await conditionsOf('busy'), [
      'AbleToScale=True ReadyForNewScale',
      'ScalingActive=True ValidMetricFound',
      'ScalingLimited=True TooManyReplicas',
    ]);
    const reason = 'cpu resource utilization (percentage of request) above target';
    assert.ok((await cluster.eventsAbout('busy')).includes(`SuccessfulRescale: New size: 6; reason: ${reason}`));
  });

  test('shrinks only when nothing higher was recommended for five minutes', async () => {
    await load('busy', '8m');
    await pass(240);
    assert.equal(await replicasOf('busy'), 10);
    assert.equal((await conditionsOf('busy'))[0], 'AbleToScale=True ScaleDownStabilized');
    await pass(65);
    await pass(16);
    assert.equal(await replicasOf('busy'), 1);
    const events = await cluster.eventsAbout('busy');
    assert.ok(events.includes('SuccessfulRescale: New size: 1; reason: All metrics below target'));
  });

  test('stays where it is while the use is near its target', async () => {
    await createSet('calm', 2, '85m');
    await makeReady('calm');
    await createAutoscaler('calm');
    await pass(600);
    assert.equal(await replicasOf('calm'), 2);
    const { currentReplicas, desiredReplicas } = await statusOf('calm');
    assert.deepEqual([currentReplicas, desiredReplicas], [2, 2]);
  });

  test('follows its own rules of speed and patience', async () => {
    await createSet('rules', 2, '800m');
    await makeReady('rules');
    const behavior = {
      scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
      scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 50, periodSeconds: 15 }] },
    };
    await createAutoscaler('rules', { behavior });
    assert.equal(await replicasOf('rules'), 3);
    await pass(45);
    assert.equal(await replicasOf('rules'), 3);
    assert.ok((await conditionsOf('rules')).includes('ScalingLimited=True ScaleUpLimit'));
    await pass(35);
    assert.equal(await replicasOf('rules'), 4);
    await makeReady('rules');
    await load('rules', '1m');
    await pass(61);
    assert.equal(await replicasOf('rules'), 1);
  });

  test('writes nothing at rest', async () => {
    await pass(600);
    const before = cluster.revision();
    await pass(3600);
    assert.equal(cluster.revision(), before);
  });
});
