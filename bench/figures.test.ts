import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenFigures, figures } from './figures.ts';

test('figures are chosen by name and run in the order of the table', () => {
  assert.deepEqual(
    chosenFigures(['create', 'get']).map(({ name }) => name),
    ['get', 'create'],
  );
  assert.equal(chosenFigures([]), figures);
  assert.throws(() => chosenFigures(['gets']), /there is no figure gets; there are get, create, put, /);
});
