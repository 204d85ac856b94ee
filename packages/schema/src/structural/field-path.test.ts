import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonSchema } from '../json-schema.ts';
import { followFieldPath } from './field-path.ts';

const text: JsonSchema = { type: 'string' };
const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { name: text, 'a.b': text } },
    labels: { type: 'object', additionalProperties: text },
    anything: { type: 'object', additionalProperties: true },
  },
};

function follow(path: string, mayIndex = true): string {
  const found = followFieldPath(path, schema, { mayIndex });
  return 'problem' in found ? found.problem : `${found.path} ${found.schema?.type}`;
}

test('finds fields and values of maps', () => {
  assert.equal(follow('.spec.name'), 'spec.name string');
  assert.equal(follow("['spec']['a.b']"), 'spec.a.b string');
  assert.equal(follow('.labels.team'), 'labels[team] string');
  assert.equal(follow(".labels['it\\'s']"), "labels[it's] string");
  assert.equal(follow('.anything.at-all'), 'anything[at-all] undefined');
});

test('reports why a path is invalid', () => {
  assert.equal(follow('spec'), 'expected [ or . but got: spec');
  assert.equal(follow('.spec.'), 'unexpected end of JSON path');
  assert.equal(follow('.spec.size'), 'does not refer to a valid field');
  assert.equal(follow('.spec.name.first'), 'does not refer to a valid field');
  assert.equal(follow('.constructor'), 'does not refer to a valid field');
  assert.equal(follow('.labels["a"]'), 'expected single quoted string but got "a"');
  assert.equal(follow(".labels['a'"), 'unexpected end of JSON path');
  assert.equal(follow(".labels['a'.b"), 'expected ] but got .');
  assert.equal(follow(String.raw`.labels['\q']`), String.raw`invalid string literal: invalid escape char \q`);
  assert.equal(follow(".labels['a']", false), 'array notation is not allowed');
});

test('takes linear time', () => {
  assert.equal(follow(`.labels['${"\\'".repeat(200_000)}`), 'unexpected end of JSON path');
});
