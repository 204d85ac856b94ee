/** Chapter 8 of the concepts: safe rollout, availability, drifts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, deployments, Story } from './story.ts';

const server = { namespace: 'web', name: 'server' };

function web(image: string): string {
  return `
apiVersion: v1
kind: Namespace
metadata: { name: web }
---
apiVersion: apps/v1
kind: Deployment
metadata: { namespace: web, name: server }
spec:
  replicas: 1
  selector: { matchLabels: { app: server } }
  template:
    metadata: { labels: { app: server } }
    spec: { containers: [{ name: server, image: '${image}' }] }
`;
}

/** Images that exist nowhere never become ready. */
const fleet = `
apiVersion: flotilla.dev/v1alpha1
kind: Fleet
workloads: { rules: [{ images: ['broken:*'], outcome: image-error }] }
members:
  - { names: 'sea-{1..4}' }
`;

function placed(strategy: string): string {
  return `
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: web }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web }]
  strategy: ${strategy}
`;
}

const all = ['sea-1', 'sea-2', 'sea-3', 'sea-4'];

async function imagesOf(story: Story): Promise<string[]> {
  const found = await Promise.all(all.map((member) => story.on(member, deployments, server)));
  return found.map((deployment) => JSON.stringify(deployment).match(/"image":"([^"]+)"/)?.[1] ?? '');
}

test('a bad release stops at the first cluster, and a mended one goes on', async (t) => {
  const story = await Story.start(t, fleet);
  await story.apply(web('nginx:1.27'));
  await story.apply(placed('{ rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } }'));
  assert.deepEqual(
    await imagesOf(story),
    all.map(() => 'nginx:1.27'),
  );

  await story.apply(web('broken:1'));
  await story.pass(120);
  const images = await imagesOf(story);
  assert.equal(images.filter((image) => image === 'broken:1').length, 1, images.join());
  const progress = await story.progressOf('web');
  assert.deepEqual(progress.slice(0, 2), [
    'Scheduled True SchedulingPolicyFulfilled',
    'RolloutStarted False RolloutNotStartedYet',
  ]);

  await story.apply(web('nginx:1.28'));
  await story.pass(30);
  assert.deepEqual(
    await imagesOf(story),
    all.map(() => 'nginx:1.28'),
  );
  assert.equal((await story.progressOf('web')).at(-1), 'Available True ResourceAvailable');
});

test('objects whose availability is unknown are rolled out with a pause', async (t) => {
  const story = await Story.start(t, fleet);
  const settings = (color: string) => `
{apiVersion: v1, kind: Namespace, metadata: {name: web}}
---
{apiVersion: batch/v1, kind: Job, metadata: {namespace: web, name: once, labels: {color: ${color}}}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: 'nginx:1.27'}]}}}}`;
  await story.apply(settings('blue'));
  await story.apply(placed('{ rollingUpdate: { maxUnavailable: 1, maxSurge: 0, unavailablePeriodSeconds: 30 } }'));
  await story.pass(60);
  await story.apply(settings('red'));
  const { placementStatuses = [] } = await story.statusOf('web');
  assert.ok(
    placementStatuses.some(({ conditions }) => conditions?.some(({ reason }) => reason === 'RolloutNotStartedYet')),
  );
  await story.pass(200);
  assert.equal((await story.progressOf('web')).at(-1), 'Available True ResourceAvailable');
});

test('a drift is repaired, or reported where the strategy says so', async (t) => {
  const story = await Story.start(t, fleet);
  const settings = { namespace: 'web', name: 'settings' };
  await story.apply(`
{apiVersion: v1, kind: Namespace, metadata: {name: web}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: web, name: settings}, data: {color: blue}}`);
  await story.apply(placed('{ applyStrategy: { whenToApply: Always } }'));
  await story.changeOn('sea-1', configMaps, settings, { data: { color: 'red' } });
  assert.deepEqual((await story.on('sea-1', configMaps, settings))?.['data'], { color: 'blue' });

  await story.apply(placed('{ applyStrategy: { whenToApply: IfNotDrifted } }'));
  await story.changeOn('sea-1', configMaps, settings, { data: { color: 'green' } });
  await story.pass(60);
  assert.deepEqual((await story.on('sea-1', configMaps, settings))?.['data'], { color: 'green' });
  const { placementStatuses = [] } = await story.statusOf('web');
  const drifted = placementStatuses.find(({ clusterName }) => clusterName === 'sea-1')?.driftedPlacements?.[0];
  assert.deepEqual(drifted?.observedDrifts, [{ path: '/data/color', valueInMember: 'green', valueInHub: 'blue' }]);
});

test('ReportDiff changes nothing on the clusters and reports what would change', async (t) => {
  const story = await Story.start(t, fleet);
  await story.apply(`
{apiVersion: v1, kind: Namespace, metadata: {name: web}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: web, name: settings}, data: {color: blue}}`);
  await story.apply(placed('{ applyStrategy: { type: ReportDiff, whenToTakeOver: Never } }'));
  await story.pass(30);
  assert.deepEqual(await story.membersWith(configMaps, { namespace: 'web', name: 'settings' }), []);
  assert.equal((await story.progressOf('web')).at(-1), 'DiffReported True DiffReportingCompleted');
});
