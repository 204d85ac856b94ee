/** Updates stage by stage, as users of `kubectl fleet` see and control them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterStagedUpdateRuns, onlyClustersAnnotation } from '@flotilla/api';
import { carefulRun, colorsOf, externalPlacement, webContent } from '../placements/staged-web.ts';
import { Story } from '../placements/story.ts';
import { runFleetCommand, type Ended } from './fleet-shell.ts';

const placement = `${externalPlacement}---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterStagedUpdateStrategy
metadata: { name: careful }
spec:
  stages:
    - name: canary
      labelSelector: { matchLabels: { env: canary } }
      maxConcurrency: 2
      afterStageTasks: [{ type: TimedWait, waitTime: 10m }, { type: Approval }]
    - name: production
      labelSelector: { matchLabels: { env: prod } }
      maxConcurrency: 2
`;

/** Without ages, which depend on how long the hub took. */
function withoutAges({ lines }: Ended): string[] {
  return lines.map((line) =>
    line
      .replace(/ +(?:AGE|\d+[ms]\d*s?)(?=   |$)/, '')
      .replaceAll(/ {2,}/g, '  ')
      .replace(/m\d+s of wait/, 'm of wait'),
  );
}

test('a run is watched, approved, and rolled back on the clusters that it has updated', async (t) => {
  const story = await Story.start(t);
  const fleet = (...args: string[]): Promise<Ended> => runFleetCommand(story, ...args);
  assert.deepEqual(await fleet('runs'), { lines: ['No update runs found.'] });
  await story.apply(`${webContent('blue')}---${placement}---${carefulRun('first')}`);
  await story.pass(2);
  assert.deepEqual(withoutAges(await fleet('runs')), [
    'NAME  PLACEMENT  SNAPSHOT  STATE  STAGE  CLUSTERS  WAITING FOR',
    'first  web  0  Waiting  canary  2/4  approval first-after-canary, 9m of wait',
  ]);
  assert.deepEqual(withoutAges(await fleet('approve')), [
    'NAME  RUN  STAGE  TASK',
    'first-after-canary  first  canary  after',
  ]);
  assert.match(
    (await fleet('rollback', 'first')).error ?? '',
    /^the run first is still under way; wait for it, or stop/,
  );
  assert.match(
    (await fleet('approve', 'areq/web', '-n', 'shop')).error ?? '',
    /^failed to approve ApprovalRequest "web" in namespace "shop": .*"web" not found$/,
  );
  assert.deepEqual(await fleet('approve', 'first-canary'), {
    lines: ['ClusterApprovalRequest "first-after-canary" approved successfully'],
  });
  assert.deepEqual(await fleet('approve'), { lines: ['No run waits for an approval.'] });
  await story.pass(600);
  assert.equal((await colorsOf(story)).join(' '), 'blue blue blue blue');
  assert.deepEqual(await fleet('rollback', 'first'), {
    lines: [],
    error: 'the placement web has no resource snapshot before 0.',
  });

  await story.apply(webContent('green'));
  assert.deepEqual((await fleet('rerun', 'first')).lines, [
    'clusterstagedupdaterun.placement.kubernetes-fleet.io/first-2 created',
  ]);
  await story.pass(2);
  assert.equal((await colorsOf(story)).join(' '), 'blue green blue green');
  await story.hub.patch(
    clusterStagedUpdateRuns,
    { name: 'first-2' },
    { type: 'merge', value: { spec: { state: 'Stop' } } },
  );
  await story.settle();
  assert.deepEqual(await fleet('rollback', 'first-2'), {
    lines: [
      'clusterstagedupdaterun.placement.kubernetes-fleet.io/first-2-rollback created',
      'It takes web back to resource snapshot 0 on east-2, west-2.',
    ],
  });
  assert.match((await fleet('rollback', 'first-2')).error ?? '', /^there is a run first-2-rollback already; /);
  await story.pass(2);
  assert.equal((await colorsOf(story)).join(' '), 'blue blue blue blue');
  const { items } = await story.hub.list(clusterStagedUpdateRuns);
  const reverse = items.find(({ metadata }) => metadata.name === 'first-2-rollback');
  assert.equal(reverse?.metadata.annotations?.[onlyClustersAnnotation], 'east-2,west-2');
  const active = JSON.parse((await fleet('runs', '--active', '-o', 'json')).lines.join('\n')) as { name: string }[];
  assert.deepEqual(
    active.map(({ name }) => name),
    ['first-2', 'first-2-rollback'],
  );
});

test('runs of a namespace are listed, approved and repeated with -n', async (t) => {
  const story = await Story.start(t);
  const fleet = (...args: string[]): Promise<Ended> => runFleetCommand(story, ...args, '-n', 'web');
  await story.apply(`${webContent('blue')}
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: web-namespace }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web, selectionScope: NamespaceOnly }]
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
spec: { stages: [{ name: all, labelSelector: {}, maxConcurrency: 100%, beforeStageTasks: [{ type: Approval }] }] }
`);
  // Members report their namespaces every few seconds.
  await story.pass(15);
  await story.apply(`
apiVersion: placement.kubernetes-fleet.io/v1
kind: StagedUpdateRun
metadata: { namespace: web, name: now }
spec: { placementName: settings, stagedRolloutStrategyName: at-once, state: Run }
`);
  await story.pass(2);
  assert.deepEqual(withoutAges(await fleet('runs')), [
    'NAMESPACE  NAME  PLACEMENT  SNAPSHOT  STATE  STAGE  CLUSTERS  WAITING FOR',
    'web  now  settings  0  Waiting  all  0/4  approval now-before-all',
  ]);
  assert.deepEqual(await fleet('approve', 'now-all'), {
    lines: ['ApprovalRequest "now-before-all" in namespace "web" approved successfully'],
  });
  await story.pass(2);
  assert.equal((await colorsOf(story)).join(' '), 'blue blue blue blue');
  await story.apply(webContent('green'));
  assert.deepEqual(await fleet('rerun', 'now'), {
    lines: ['stagedupdaterun.placement.kubernetes-fleet.io/now-2 created'],
  });
  await fleet('approve', 'now-2-all');
  await story.pass(2);
  assert.equal((await colorsOf(story)).join(' '), 'green green green green');
  assert.deepEqual((await fleet('rollback', 'now-2')).lines.slice(1), [
    'It takes settings back to resource snapshot 0 on east-1, east-2, west-1, west-2.',
  ]);
});
