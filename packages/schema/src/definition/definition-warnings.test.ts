import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionWarnings } from './definition-warnings.ts';
import { aDefinition, aVersion, withProperty } from './sample-definition.testing.ts';

test('warns once about each format that is not checked', () => {
  const version = aVersion({
    a: { type: 'string', format: 'colour' },
    b: { type: 'array', items: { type: 'string', format: 'colour' } },
    c: { type: 'object', format: 'date' },
    d: { type: 'integer', format: 'float' },
  });
  assert.deepEqual(
    new Set(definitionWarnings(aDefinition({ versions: [version] }))),
    new Set(['unrecognized format "colour"', 'unrecognized format "date"', 'unrecognized format "float"']),
  );
});

test('knows the formats that are checked', () => {
  for (const format of ['date-time', 'ipv4', 'k8s-short-name', 'byte', 'uuid4']) {
    assert.deepEqual(definitionWarnings(withProperty({ type: 'string', format })), [], format);
  }
  assert.deepEqual(definitionWarnings(withProperty({ type: 'integer', format: 'int64' })), []);
  assert.deepEqual(definitionWarnings(withProperty({ type: 'number', format: 'double' })), []);
});

test('does not repeat warnings when a definition is updated', () => {
  const old = withProperty({ type: 'string', format: 'colour' });
  assert.deepEqual(definitionWarnings(withProperty({ type: 'string', format: 'colour', maxLength: 3 }), old), []);
  assert.deepEqual(definitionWarnings(withProperty({ type: 'string', format: 'smell' }), old), [
    'unrecognized format "smell"',
  ]);
});
