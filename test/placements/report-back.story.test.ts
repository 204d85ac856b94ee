/** The API reference: ReportBackStrategy. Statuses of placed objects come back to the hub. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { works } from '@flotilla/api';
import { events, type JsonObject } from '@flotilla/kube';
import { deployments, Story } from './story.ts';

function placed(policy: string, destination: string): string {
  return `
apiVersion: v1
kind: Namespace
metadata: { name: web }
---
apiVersion: apps/v1
kind: Deployment
metadata: { namespace: web, name: app }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: main, image: 'nginx:1' }] } }
---
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterResourcePlacement
metadata: { name: web }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web }]
  policy: ${policy}
  strategy: { reportBackStrategy: { type: Mirror, destination: ${destination} } }
`;
}

const app = { namespace: 'web', name: 'app' };
const onOne = '{ placementType: PickFixed, clusterNames: [west-1] }';

async function replicasOnHub(story: Story): Promise<unknown> {
  const { status = {} } = await story.hub.get(deployments, app);
  return (status as JsonObject)['readyReplicas'];
}

/** Events are written when the fleet has nothing else to do. */
async function hasEvent(story: Story, wanted: string): Promise<boolean> {
  for (let seconds = 0; seconds < 10; seconds++) {
    const { items } = await story.hub.list(events, { namespace: 'default' });
    if (items.some(({ reason }) => reason === wanted)) return true;
    await story.pass(1);
  }
  return false;
}

test('the original on the hub shows how the placed object does', async (t) => {
  const story = await Story.start(t);
  await story.apply(placed(onOne, 'OriginalResource'));
  await story.pass(5);
  assert.equal(await replicasOnHub(story), 2);
  await story.hub.patch(deployments, app, { type: 'merge', value: { spec: { replicas: 3 } } });
  await story.pass(5);
  assert.equal(await replicasOnHub(story), 3);
});

test('the Work has the status if that is the destination', async (t) => {
  const story = await Story.start(t);
  await story.apply(placed(onOne, 'WorkAPI'));
  await story.pass(5);
  assert.equal(await replicasOnHub(story), undefined);
  const { status } = await story.hub.get(works, { namespace: 'fleet-member-west-1', name: 'web-work' });
  const reported = status?.manifestConditions?.find(({ identifier }) => identifier.kind === 'Deployment');
  const { observedStatus = {} } = reported?.backReportedStatus ?? {};
  assert.equal((observedStatus['status'] as JsonObject)['readyReplicas'], 2);
});

test('a placement on several clusters leaves its originals alone, and says why', async (t) => {
  const story = await Story.start(t);
  await story.apply(placed('{ placementType: PickAll }', 'OriginalResource'));
  await story.pass(5);
  assert.equal(await replicasOnHub(story), undefined);
  assert.ok(await hasEvent(story, 'StatusBackReportRefused'));
});
