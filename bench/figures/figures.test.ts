import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenFigures, figures } from './figures.ts';

test('selects figures by name, in the order of the table', () => {
  assert.deepEqual(
    chosenFigures(['create', 'get']).map(({ name }) => name),
    ['get', 'create'],
  );
  assert.equal(chosenFigures([]), figures);
  assert.throws(() => chosenFigures(['gets']), /unknown figure gets; choose from get, create, put, /);
});
