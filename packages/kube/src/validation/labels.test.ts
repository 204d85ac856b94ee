import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateAnnotations, validateLabels } from './labels.ts';

test('a key is judged the same each time, and by the rules of its map', () => {
  for (let i = 0; i < 2; i++) {
    assert.equal(validateLabels({ 'example.com/a': '' }, 'metadata.labels').length, 0);
    assert.equal(validateLabels({ 'example.com/a_': '' }, 'metadata.labels').length, 1);
    // Only in annotations may the prefix have capitals.
    assert.equal(validateAnnotations({ 'Example.com/a': '' }, 'metadata.annotations').length, 0);
    assert.equal(validateLabels({ 'Example.com/a': '' }, 'metadata.labels').length, 1);
  }
});

test('more keys than are remembered are judged, too', () => {
  for (let i = 0; i < 3000; i++) assert.equal(validateLabels({ [`key-${i}`]: 'v' }, 'metadata.labels').length, 0);
  assert.equal(validateLabels({ 'key-': 'v' }, 'metadata.labels').length, 1);
});
