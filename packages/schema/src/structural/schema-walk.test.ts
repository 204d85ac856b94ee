import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonSchema } from '../json-schema.ts';
import { isTooDeep, maxSchemaDepth, someSchema } from './schema-walk.ts';

function nested(levels: number, wrap: (inner: JsonSchema) => JsonSchema): JsonSchema {
  let schema: JsonSchema = { type: 'string' };
  for (let i = 1; i < levels; i++) schema = wrap(schema);
  return schema;
}

test('finds schemas wherever they may occur', () => {
  const wanted: JsonSchema = { title: 'wanted' };
  const places: JsonSchema[] = [
    wanted,
    { properties: { a: wanted } },
    { items: wanted },
    { items: [{}, wanted] },
    { additionalProperties: wanted },
    { additionalItems: wanted },
    { not: wanted },
    { allOf: [wanted] },
    { anyOf: [wanted] },
    { oneOf: [wanted] },
    { patternProperties: { a: wanted } },
    { definitions: { a: wanted } },
    { dependencies: { a: ['b'], c: wanted } },
  ];
  for (const place of places) {
    assert.ok(
      someSchema(place, ({ title }) => title === 'wanted'),
      JSON.stringify(place),
    );
  }
  assert.equal(
    someSchema({ properties: { a: {} } }, ({ title }) => title === 'wanted'),
    false,
  );
});

test('detects schemas that are too deep, however they are nested', () => {
  for (const wrap of [
    (inner: JsonSchema) => ({ items: inner }),
    (inner: JsonSchema) => ({ properties: { a: inner } }),
    (inner: JsonSchema) => ({ not: inner }),
  ]) {
    assert.equal(isTooDeep(nested(maxSchemaDepth, wrap)), false);
    assert.equal(isTooDeep(nested(maxSchemaDepth + 1, wrap)), true);
    assert.equal(isTooDeep(nested(10_000, wrap)), true);
  }
});
