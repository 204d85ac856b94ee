/** Clusters that are emptied with `kubectl fleet`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterResourcePlacementEvictions, memberClusters } from '@flotilla/api';
import { namespaces, Story } from '../placements/story.ts';
import { runFleetCommand, type Ended } from './fleet-shell.ts';

function placement(name: string, policy: string): string {
  return `
{ apiVersion: v1, kind: Namespace, metadata: { name: ${name} } }
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: ${name} }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: ${name} }]
  policy: ${policy}
`;
}

function budget(name: string, minAvailable: number): string {
  return `
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterResourcePlacementDisruptionBudget
metadata: { name: ${name} }
spec: { minAvailable: ${minAvailable} }
`;
}

const settings = `
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ResourcePlacement
metadata: { namespace: web, name: settings }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: ConfigMap, name: settings }]
---
{ apiVersion: v1, kind: ConfigMap, metadata: { namespace: web, name: settings } }
`;

async function taintsOf(story: Story, name: string): Promise<unknown> {
  return (await story.hub.get(memberClusters, { name })).spec.taints ?? [];
}

const cordonTaint = { key: 'cordon-key', value: 'cordon-value', effect: 'NoSchedule' };

test('drain waits for budgets, empties the cluster, and fails for what no eviction removes', async (t) => {
  const story = await Story.start(t);
  const fleet = (...args: string[]): Promise<Ended> => runFleetCommand(story, ...args);
  await story.apply(placement('web', '{ placementType: PickAll }') + `---${budget('web', 4)}`);
  await story.apply(placement('fixed', '{ placementType: PickFixed, clusterNames: [east-1, west-1] }'));
  await story.pass(61);
  const blocked =
    'Eviction is blocked by specified ClusterResourcePlacementDisruptionBudget, availablePlacements: 4, totalPlacements: 4';
  const hint = 'run the command again, or raise --timeout to wait longer.';
  const begun = [
    'membercluster/east-1 cordoned',
    'cannot evict clusterresourceplacement/fixed: its policy is PickFixed; remove east-1 from its clusterNames',
    'evicting clusterresourceplacement/web',
  ];
  assert.deepEqual(await fleet('drain', 'east-1', '--timeout', '20s'), {
    lines: [...begun, `clusterresourceplacement/web not evicted, trying again: ${blocked}`],
    error: `membercluster/east-1 is not drained in time: web: ${blocked}; ${hint}`,
  });
  assert.ok((await story.hub.list(clusterResourcePlacementEvictions)).items.length <= 2);
  assert.deepEqual(await taintsOf(story, 'east-1'), [cordonTaint]);

  await story.apply(budget('web', 1));
  assert.deepEqual(await fleet('drain', 'east-1'), {
    lines: [...begun, 'clusterresourceplacement/web evicted'],
    error: 'membercluster/east-1 is not drained: 1 placement left.',
  });
  assert.deepEqual(await story.membersWith(namespaces, { name: 'web' }), ['east-2', 'west-1', 'west-2']);
  assert.deepEqual(await fleet('drain', 'east-2'), {
    lines: [
      'membercluster/east-2 cordoned',
      'evicting clusterresourceplacement/web',
      'clusterresourceplacement/web evicted',
      'membercluster/east-2 drained',
    ],
  });
  await story.apply(settings);
  await story.pass(16);
  assert.deepEqual((await fleet('drain', 'west-2')).lines.slice(0, 2), [
    'membercluster/west-2 cordoned',
    'cannot evict resourceplacement web/settings: only ClusterResourcePlacements can be evicted; change its policy or delete it',
  ]);
  await story.apply(
    placement('loyal', '{ placementType: PickAll, tolerations: [{ key: cordon-key, operator: Exists }] }'),
  );
  await story.pass(61);
  assert.deepEqual(await fleet('drain', 'east-2'), {
    lines: [
      'membercluster/east-2 cordoned',
      'evicting clusterresourceplacement/loyal',
      'clusterresourceplacement/loyal evicted',
      'evicting clusterresourceplacement/loyal',
      'clusterresourceplacement/loyal evicted',
      'clusterresourceplacement/loyal has come back: it tolerates the cordon taint',
    ],
    error: 'membercluster/east-2 is not drained: 1 placement left.',
  });
  assert.deepEqual((await fleet('placements', 'fixed')).lines, [
    'PLACEMENT   CLUSTER   SNAPSHOT   STATE',
    'fixed       east-1    0          Available',
    'fixed       west-1    0          Available',
  ]);
  assert.deepEqual(await fleet('uncordon', 'east-2'), { lines: ['uncordoned member cluster east-2'] });
  assert.deepEqual(await taintsOf(story, 'east-2'), []);
});

test("draincluster speaks and succeeds as KubeFleet's plugin does", async (t) => {
  const story = await Story.start(t);
  const run = async (cluster: string): Promise<string[]> => {
    const { lines, error } = await runFleetCommand(story, 'draincluster', '--cluster-name', cluster);
    assert.equal(error, undefined);
    return lines.map((line) => line.replaceAll(/(drain-eviction-web-\w+-\d)-[0-9a-f]{8}/g, '$1'));
  };
  await story.apply(placement('web', '{ placementType: PickAll }') + `---${budget('web', 4)}`);
  await story.pass(61);
  const cordoned = 'Successfully cordoned member cluster east-1 by adding cordon taint';
  const what = 'for CRP web targeting member cluster east-1';
  const kept = [
    cordoned,
    `Created eviction drain-eviction-web-east-1 ${what}`,
    `eviction drain-eviction-web-east-1 was not executed successfully ${what}`,
  ];
  const retry = 'retrying drain to ensure all resources propagated from hub cluster are evicted';
  const reminder = 'reminder: uncordon the cluster east-1 to remove cordon taint if needed';
  assert.deepEqual(await run('east-1'), [
    ...kept,
    'drain was not successful for cluster east-1',
    retry,
    ...kept,
    'drain retry was not successful for cluster east-1',
    reminder,
  ]);
  await story.apply(budget('web', 1));
  assert.deepEqual(await run('east-1'), [
    cordoned,
    `Created eviction drain-eviction-web-east-1 ${what}`,
    `eviction drain-eviction-web-east-1 was executed successfully ${what}`,
    "evicted resource ''/v1/Namespace/''/web propagated by CRP web targeting member cluster east-1",
    'drain was successful for cluster east-1',
    retry,
    cordoned,
    'There are currently no resources propagated to east-1 from fleet using ClusterResourcePlacement resources',
    'drain retry was successful for cluster east-1',
    reminder,
  ]);
});
