import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStageEnabled, stagesProblem } from './stages.ts';

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

test('an unknown name is a sentence that lists the known ones', () => {
  assert.equal(stagesProblem(['*', '-clusters', 'cluster-profiles']), undefined);
  assert.match(
    stagesProblem(['*', '-rollouts']) ?? '',
    /^"-rollouts" is not a controller; write \*, or some of clusters, /,
  );
  assert.match(stagesProblem(['']) ?? '', /^"" is not a controller/);
});
