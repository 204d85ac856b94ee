import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { copyJson, jsonEquals, JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { SchemaNode } from '../schema-node.ts';
import { Correlation } from './correlation.ts';
import { explainValue, validateValue } from './validate-value.ts';
import { Findings } from './problem.ts';
import { prune } from './prune.ts';
import { setDefaults } from './set-defaults.ts';
import { ValueSchema } from './value-schema.ts';

const names = ['a', 'b', 'c', '__proto__', 'constructor'];
const name = fc.constantFrom(...names);

const scalarSchema: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -2, max: 2 }) }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('number'), multipleOf: fc.constantFrom(0.5, 2) }, { requiredKeys: ['type'] }),
  fc.record(
    {
      type: fc.constant('string'),
      maxLength: fc.nat({ max: 3 }),
      pattern: fc.constantFrom('^a', 'b$'),
      format: fc.constantFrom('date', 'ipv4', 'nonsense'),
      enum: fc.constant(['a', 'ab']),
      nullable: fc.boolean(),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ type: fc.constant('boolean'), default: fc.boolean() }, { requiredKeys: ['type'] }),
  fc.constant<JsonSchema>({ 'x-kubernetes-int-or-string': true }),
  fc.constant<JsonSchema>({ 'x-kubernetes-preserve-unknown-fields': true }),
  fc.constant<JsonSchema>({ type: 'integer', anyOf: [{ minimum: 2 }, { maximum: 0 }], not: { enum: [5] } }),
  fc.constant<JsonSchema>({ type: 'string', oneOf: [{ minLength: 2 }, { pattern: '^a' }], default: 'bb' }),
);

const { schema } = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalarSchema,
    tie('object'),
    listSchema(tie('schema')),
  ),
  object: fc.oneof(
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        required: fc.subarray(names, { maxLength: 1 }),
        nullable: fc.boolean(),
        'x-kubernetes-preserve-unknown-fields': fc.constant(true),
        default: fc.constant<JsonValue>({}),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
    fc.record({ type: fc.constant('object'), additionalProperties: fc.oneof(tie('schema'), fc.boolean()) }),
  ),
}));

function listSchema(items: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> {
  return fc.record(
    { type: fc.constant('array'), items, maxItems: fc.nat({ max: 2 }) },
    { requiredKeys: ['type', 'items'] },
  );
}

const root = fc
  .dictionary(name, schema, { maxKeys: 3 })
  .map((properties): JsonSchema => ({ type: 'object', properties }));

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 0, 5, 1.5, 2n ** 60n, 'a', 'ab', 'bb', '1.2.3.4', '2024-01-01'),
    fc.integer({ min: -3, max: 3 }).map((whole) => new JsonFloat(whole)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
  ),
}));

const object = fc.dictionary(name, value, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>;

function copyOf<T extends JsonValue>(original: T): T {
  return copyJson(original) as T;
}

test('a value is valid exactly when there is no problem to report', () => {
  fc.assert(
    fc.property(schema, value, (anySchema, anyValue) => {
      const findings = new Findings();
      const valueSchema = new ValueSchema(anySchema);
      explainValue(anyValue, valueSchema, { path: '', correlation: undefined, findings });
      assert.equal(valueSchema.fits(anyValue), findings.problems.length === 0);
    }),
    { numRuns: 500 },
  );
});

test('pruning twice changes nothing more', () => {
  fc.assert(
    fc.property(root, object, (anySchema, anyObject) => {
      const node = new SchemaNode(anySchema);
      prune(anyObject, node);
      const once = copyOf(anyObject);
      assert.deepEqual(prune(anyObject, node), []);
      assert.ok(jsonEquals(anyObject, once));
    }),
  );
});

test('setting defaults twice changes nothing more, and they survive pruning', () => {
  fc.assert(
    fc.property(root, object, (anySchema, anyObject) => {
      const node = new SchemaNode(anySchema);
      prune(anyObject, node);
      setDefaults(anyObject, node);
      const once = copyOf(anyObject);
      setDefaults(anyObject, node);
      assert.ok(jsonEquals(anyObject, once));
      assert.deepEqual(prune(anyObject, node), []);
      assert.ok(jsonEquals(anyObject, once));
    }),
  );
});

test('a valid value is still valid after pruning and valid defaults', () => {
  fc.assert(
    fc.property(root, object, (anySchema, anyObject) => {
      const valueSchema = new ValueSchema(anySchema);
      fc.pre(valueSchema.fits(anyObject) && !hasRequired(anySchema));
      prune(anyObject, new SchemaNode(anySchema));
      setDefaults(anyObject, new SchemaNode(anySchema));
      assert.deepEqual(validateValue(anyObject, valueSchema), []);
    }),
  );
});

test('an unchanged object has no problems if its schema knows all fields', () => {
  fc.assert(
    fc.property(root, object, (anySchema, anyObject) => {
      const node = new SchemaNode(anySchema);
      const correlation = new Correlation(anyObject, copyOf(anyObject), node);
      const errors = validateValue(anyObject, new ValueSchema(anySchema), { correlate: () => correlation });
      if (correlation.isUnchanged) assert.deepEqual(errors, []);
    }),
  );
});

/** A default of `{}` may lack required fields, and pruning may remove fields that are required but not declared. */
function hasRequired(anySchema: JsonSchema): boolean {
  return JSON.stringify(anySchema).includes('"required"');
}
