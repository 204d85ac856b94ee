/** Chapter 10 of the concepts: updates stage by stage, with waits and approvals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  approvalRequests,
  clusterApprovalRequests,
  clusterResourceSnapshots,
  clusterStagedUpdateRuns,
  stagedUpdateRuns,
  type UpdateRun,
} from '@flotilla/api';
import { formatTime, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { carefulRun, colorsOf, externalPlacement, webContent } from './staged-web.ts';
import { Story } from './story.ts';

const strategy = `
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterStagedUpdateStrategy
metadata: { name: careful }
spec:
  stages:
    - name: canary
      labelSelector: { matchLabels: { env: canary } }
      maxConcurrency: 2
      afterStageTasks: [{ type: TimedWait, waitTime: 1m }, { type: Approval }]
    - name: production
      labelSelector: { matchLabels: { env: prod } }
      beforeStageTasks: [{ type: Approval }]
`;

async function approve(story: Story, kind: Kind, key: ObjectKey): Promise<void> {
  const { metadata } = await story.hub.get<KubeObject>(kind, key);
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'Tested',
    message: 'it works',
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: formatTime(new Date(story.fleet.clock.now())),
  };
  const value = { status: { conditions: [condition] } };
  await story.hub.patch(kind, key, { type: 'merge', value }, { subresource: 'status' });
  await story.settle();
}

async function progressOf(story: Story, kind: Kind<UpdateRun>, key: ObjectKey): Promise<string> {
  const { status } = await story.hub.get(kind, key);
  return (status?.conditions ?? []).map(({ type, status: holds }) => `${type} ${holds}`).join(', ');
}

const succeeded = 'Initialized True, Progressing False, Succeeded True';
const waiting = 'Initialized True, Progressing False';

async function runThrough(story: Story, name: string): Promise<void> {
  await story.pass(60);
  await approve(story, clusterApprovalRequests, { name: `${name}-after-canary` });
  await approve(story, clusterApprovalRequests, { name: `${name}-before-production` });
  await story.settle();
}

test('a change goes to the canaries, waits for time and approvals, and can be taken back', async (t) => {
  const story = await Story.start(t);
  // All at once, and the run before what it needs: users apply folders.
  await story.applyNow(webContent('blue') + `---${carefulRun('first')}---${strategy}---${externalPlacement}`);
  await story.pass(2);
  assert.deepEqual(await colorsOf(story), ['-', 'blue', '-', 'blue']);
  assert.equal(await progressOf(story, clusterStagedUpdateRuns, { name: 'first' }), waiting);
  await story.pass(60);
  await approve(story, clusterApprovalRequests, { name: 'first-after-canary' });
  assert.deepEqual(await colorsOf(story), ['-', 'blue', '-', 'blue']);
  await approve(story, clusterApprovalRequests, { name: 'first-before-production' });
  assert.deepEqual(await colorsOf(story), ['blue', 'blue', 'blue', 'blue']);
  assert.equal(await progressOf(story, clusterStagedUpdateRuns, { name: 'first' }), succeeded);

  // KubeFleet's run would roll out the old content, because new snapshots are delayed.
  await story.applyNow(webContent('green'));
  await story.apply(carefulRun('second'));
  assert.deepEqual(await colorsOf(story), ['blue', 'green', 'blue', 'green']);
  await runThrough(story, 'second');
  assert.deepEqual(await colorsOf(story), ['green', 'green', 'green', 'green']);

  await story.apply(carefulRun('back', '0'));
  await runThrough(story, 'back');
  assert.deepEqual(await colorsOf(story), ['blue', 'blue', 'blue', 'blue']);
  const { items } = await story.hub.list(clusterResourceSnapshots);
  assert.equal(items.length, 2);

  await story.delete(clusterStagedUpdateRuns, { name: 'back' });
  const requests = (await story.hub.list(clusterApprovalRequests)).items.map(({ metadata }) => metadata.name);
  assert.deepEqual(
    requests.filter((name) => name?.startsWith('back')),
    [],
  );
});

// docs/seed-promises.md: the walk of KubeFleet's concepts page names index 0 before there is a snapshot.
test('a run that names the next index makes that snapshot, and any other missing index ends it', async (t) => {
  const story = await Story.start(t);
  await story.apply(webContent('blue') + `---${externalPlacement}---${strategy}`);
  await story.apply(carefulRun('zero', '0'));
  assert.deepEqual(await colorsOf(story), ['-', 'blue', '-', 'blue']);
  await story.apply(carefulRun('five', '5'));
  await story.pass(2);
  assert.equal(await progressOf(story, clusterStagedUpdateRuns, { name: 'five' }), 'Initialized False');
});

test('a run of a namespace sees the overrides of its placement', async (t) => {
  const story = await Story.start(t);
  await story.apply(`
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: web-namespace }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web, selectionScope: NamespaceOnly }]
---${webContent('blue')}
`);
  // Members report their namespaces every few seconds.
  await story.pass(15);
  await story.apply(`
apiVersion: placement.kubernetes-fleet.io/v1
kind: ResourceOverride
metadata: { namespace: web, name: western }
spec:
  placement: { name: settings, scope: Namespaced }
  resourceSelectors: [{ group: '', version: v1, kind: ConfigMap, name: settings }]
  policy:
    overrideRules:
      - clusterSelector: { clusterSelectorTerms: [{ labelSelector: { matchLabels: { region: west } } }] }
        jsonPatchOverrides: [{ op: replace, path: /data/color, value: red }]
---
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ResourcePlacement
metadata: { namespace: web, name: settings }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: ConfigMap, name: settings }]
  strategy: { type: External }
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: StagedUpdateStrategy
metadata: { namespace: web, name: at-once }
spec: { stages: [{ name: all, labelSelector: {}, maxConcurrency: '100%', beforeStageTasks: [{ type: Approval }] }] }
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: StagedUpdateRun
metadata: { namespace: web, name: now }
spec: { placementName: settings, stagedRolloutStrategyName: at-once, state: Run }
`);
  await story.pass(2);
  await approve(story, approvalRequests, { namespace: 'web', name: 'now-before-all' });
  assert.deepEqual(await colorsOf(story), ['blue', 'blue', 'red', 'red']);
  assert.equal(await progressOf(story, stagedUpdateRuns, { namespace: 'web', name: 'now' }), succeeded);
});

test('a run that waits for approval writes nothing for ten minutes', async (t) => {
  const story = await Story.start(t);
  await story.apply(webContent('blue') + `---${externalPlacement}---${strategy}---${carefulRun('first')}`);
  await story.pass(120);
  const written = await story.countWrites();
  await story.pass(600);
  const { ClusterStagedUpdateRun: runs = 0, ClusterApprovalRequest: requests = 0 } = written();
  assert.deepEqual([runs, requests], [0, 0]);
});
