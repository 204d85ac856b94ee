import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenFigures, figures } from './figures.ts';

test('selects figures by name, in the order of the table', () => {
  assert.deepEqual(
    chosenFigures(['create', 'get']).map(({ name }) => name),
    ['get', 'create'],
  );
  const [all, named] = [chosenFigures([]), chosenFigures(['placements-published'])];
  assert.deepEqual(
    figures.filter((figure) => !all.includes(figure)),
    named,
  );
  assert.throws(() => chosenFigures(['gets']), /unknown figure gets; choose from get, create, put, /);
});
