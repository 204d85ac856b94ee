import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestHub } from '@flotilla/testkit';
import { disabledStagesOf, isStageEnabled, stageNames, stagesBesideOcm, stagesProblem } from './stages.ts';

test('a stage runs if the list names it, or has a star and does not leave it out', () => {
  const rows: readonly (readonly [readonly string[] | undefined, boolean])[] = [
    [undefined, true],
    [['*'], true],
    [['works'], true],
    [['clusters'], false],
    [['*', '-works'], false],
    [['*', '-clusters'], true],
    [['-works', '*', 'works'], false],
    [['-clusters'], false],
    [[], false],
  ];
  for (const [list, isEnabled] of rows)
    assert.equal(isStageEnabled('works', list), isEnabled, list?.join() ?? 'no list');
});

test('a feature that is off stops its stage, whatever the list says', () => {
  const list = [...disabledStagesOf({ updateRuns: true, evictions: false }), '*', 'evictions'];
  assert.deepEqual([isStageEnabled('evictions', list), isStageEnabled('update-runs', list)], [false, true]);
});

test('beside OCM, its work is left to it unless the list names a stage', () => {
  const beside = (list?: readonly string[]) =>
    stageNames({ controllers: stagesBesideOcm(list), isOcmInstalled: true }).leftToOcm;
  assert.ok(beside().includes('cluster-availability'));
  assert.ok(!beside(['*', 'cluster-availability']).includes('cluster-availability'));
  const { running } = stageNames({ controllers: stagesBesideOcm(), isOcmInstalled: true });
  assert.deepEqual([running.includes('managed-clusters'), running.includes('works')], [true, true]);
  assert.deepEqual(stageNames({}).leftToOcm, []);
});

test('a hub without ResourcePlacements runs the controllers of cluster-scoped placements only', async () => {
  const hub = await startTestHub({ resourcePlacements: false });
  const text = hub.metrics.text();
  await hub.stop();
  const names = new Set([...text.matchAll(/controller="([^"]*)"/g)].map(([, name = '']) => name));
  const [own, namespaced] = [
    ['cluster-resource-placement-controller-v1beta1', 'clusterstagedupdaterun-controller'],
    ['resource-placement-controller', 'stagedupdaterun-controller'],
  ];
  assert.deepEqual(
    [own.filter((name) => names.has(name)), namespaced.filter((name) => names.has(name))],
    [own, []],
    [...names].join(),
  );
});

test('an unknown name is a sentence that lists the known ones', () => {
  assert.equal(stagesProblem(['*', '-clusters', 'cluster-profiles']), undefined);
  assert.match(
    stagesProblem(['*', '-rollouts']) ?? '',
    /^"-rollouts" is not a controller; write \*, or some of clusters, /,
  );
  assert.match(stagesProblem(['']) ?? '', /^"" is not a controller/);
});
