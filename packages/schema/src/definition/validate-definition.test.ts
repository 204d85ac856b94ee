import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText, type JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import type { Conversion, CustomResourceDefinition } from './custom-resource-definition.ts';
import { prepareForUpdate } from './prepare-definition.ts';
import { aDefinition, aVersion, established, withProperty } from './sample-definition.testing.ts';
import { validateDefinition, validateDefinitionStatusUpdate, validateDefinitionUpdate } from './validate-definition.ts';
import type { SchemaChecks } from './schemas/validate-schema.ts';

const checks: SchemaChecks = {
  readMetadata: (metadata: JsonValue) => ({ metadata: metadata as Record<string, JsonValue>, unknownFields: [] }),
};

function problems(definition: CustomResourceDefinition): string[] {
  return validateDefinition(definition, checks).map(fieldErrorText);
}

function problemsOfUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition): string[] {
  prepareForUpdate(definition, old);
  return validateDefinitionUpdate(definition, old, checks).map(fieldErrorText);
}

const broken = (schema: JsonSchema): JsonSchema => ({ ...schema, description: 'changed' });

describe('an update', () => {
  test('keeps group and plural', () => {
    const definition = aDefinition({ group: 'other.com', names: { plural: 'boats', kind: 'Ship' } });
    assert.deepEqual(problemsOfUpdate(definition, aDefinition()), [
      'spec.group: Invalid value: "other.com": field is immutable',
      'spec.names.plural: Invalid value: "boats": field is immutable',
    ]);
  });

  test('keeps scope and kind once the definition is established', () => {
    const names = { plural: 'ships', kind: 'Boat' };
    assert.deepEqual(problemsOfUpdate(aDefinition({ scope: 'Cluster', names }), aDefinition()), []);
    assert.deepEqual(problemsOfUpdate(aDefinition({ scope: 'Cluster', names }), established(aDefinition())), [
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Boat": field is immutable',
    ]);
  });

  test('keeps every version that objects may be stored in', () => {
    const definition = aDefinition({ versions: [aVersion({}, { name: 'v2' })] });
    assert.deepEqual(problemsOfUpdate(definition, aDefinition()), [
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ]);
  });

  test('of the status validates names only', () => {
    const definition = aDefinition();
    definition.status = { acceptedNames: { plural: 'X_', kind: '' }, storedVersions: [] };
    const [problem, ...more] = validateDefinitionStatusUpdate(definition, aDefinition());
    assert.equal(problem?.field, 'status.acceptedNames.plural');
    assert.deepEqual(more, []);
  });
});

describe('violations that are older than their rule', () => {
  const bundle = (text: string): Conversion => ({
    strategy: 'Webhook',
    webhook: {
      clientConfig: { url: 'https://a', caBundle: Buffer.from(text).toString('base64') },
      conversionReviewVersions: ['v1'],
    },
  });
  const set: JsonSchema = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } };
  const keys: JsonSchema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', properties: { k: { type: 'string' } } },
  };

  for (const [what, schema] of Object.entries({
    'sets of objects that are not atomic': set,
    'keys that may be missing': keys,
    'defaults with unknown fields': { type: 'object', properties: {}, default: { a: 1 } } satisfies JsonSchema,
  })) {
    test(`${what}: may stay, but not be added`, () => {
      assert.notDeepEqual(problems(withProperty(schema)), []);
      assert.deepEqual(problemsOfUpdate(withProperty(broken(schema)), withProperty(schema)), []);
      assert.notDeepEqual(problemsOfUpdate(withProperty(schema), aDefinition()), []);
    });
  }

  test('schemas that are not structural may stay while unknown fields are preserved', () => {
    const old = aDefinition({ preserveUnknownFields: true, versions: [aVersion({ a: {} })] });
    const definition = aDefinition({ preserveUnknownFields: true, versions: [aVersion({ a: {}, b: {} })] });
    assert.deepEqual(problemsOfUpdate(definition, old), []);
    assert.notDeepEqual(problemsOfUpdate(aDefinition({ versions: [aVersion({ a: {} })] }), old), []);
  });

  test('an invalid CA bundle may be added before the definition is established, and stay after', () => {
    const definition = aDefinition({ conversion: bundle('none') });
    const good = aDefinition();
    assert.deepEqual(problems(definition), []);
    assert.deepEqual(problemsOfUpdate(definition, good), []);
    assert.deepEqual(problemsOfUpdate(aDefinition({ conversion: bundle('other') }), established(definition)), []);
    assert.deepEqual(problemsOfUpdate(definition, established(good)), [
      'spec.conversion.webhookClientConfig.caBundle: Invalid value: "bm9uZQ==": unable to load root certificates: unable to parse bytes as PEM block',
    ]);
  });

  test('too many selectable fields may stay', () => {
    const fields = 'abcdefghi'.split('');
    const properties = Object.fromEntries(fields.map((name) => [name, { type: 'string' }]));
    const selectableFields = fields.map((name) => ({ jsonPath: `.${name}` }));
    const many = (): CustomResourceDefinition =>
      aDefinition({ versions: [aVersion(properties, { selectableFields })] });
    assert.deepEqual(problems(many()), ['spec.selectableFields: Too many: 9: must have at most 8 items']);
    assert.deepEqual(problemsOfUpdate(many(), many()), []);
  });

  test('a rule that costs too much may stay in an unchanged schema', () => {
    const costly = (description: string): CustomResourceDefinition =>
      withProperty({
        type: 'array',
        description,
        maxItems: 2000,
        items: { type: 'integer' },
        'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x == y))' }],
      });
    assert.equal(problems(costly('')).length, 1);
    assert.deepEqual(problemsOfUpdate(costly(''), costly('')), []);
    assert.equal(problemsOfUpdate(costly('changed'), costly('')).length, 1);
  });
});

describe('a hostile definition', () => {
  test('with a schema nested ten thousand levels deep is refused', () => {
    let schema: JsonSchema = { type: 'string' };
    for (let i = 0; i < 10_000; i++) schema = { type: 'array', items: schema };
    assert.deepEqual(problems(withProperty(schema)), [
      'spec.versions[0].schema.openAPIV3Schema: Forbidden: must not be more than 500 levels deep',
    ]);
  });

  test('may be as deep as the limit, with a rule and a default on each level', () => {
    let schema: JsonSchema = { type: 'string', default: 'a' };
    for (let i = 0; i < 490; i++) {
      schema = {
        type: 'object',
        properties: { a: schema },
        default: {},
        'x-kubernetes-validations': [{ rule: 'has(self.a)', fieldPath: '.a' }],
        allOf: [{ properties: { a: { not: { maxLength: 1 } } } }],
      };
    }
    const errors = problems(withProperty(schema));
    assert.ok(errors.every((error) => error.includes('failed rule: has(self.a)')));
  });

  test('with a hundred thousand nodes is validated within the time limit', () => {
    const node: JsonSchema = { type: 'object', properties: { a: { type: 'string', enum: ['a', 'b'], default: 'a' } } };
    const properties = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`p${i}`, node]));
    assert.deepEqual(problems(aDefinition({ versions: [aVersion(properties)] })), []);
  });

  test('with countless errors deep in its schema gets the first thousand', () => {
    const faults = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, {}]));
    let schema: JsonSchema = { type: 'object', properties: faults };
    for (let i = 0; i < 400; i++) schema = { type: 'object', properties: { [`level${i}`]: schema } };
    assert.equal(problems(withProperty(schema)).length, 1000);
  });

  test('with a thousand versions has its shared schema checked once', () => {
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: 'x' }]));
    const versions = Array.from({ length: 1000 }, (_, i) => aVersion(properties, { name: `v${i}`, storage: i === 0 }));
    assert.equal(problems(aDefinition({ versions })).length, 100);
  });

  test('with twenty thousand versions is validated in linear time', { timeout: 30_000 }, () => {
    const versions = Array.from({ length: 20_000 }, (_, i) =>
      aVersion({}, { name: `v${i}`, storage: i === 0, ...(i % 2 === 0 && { subresources: { status: {} } }) }),
    );
    assert.deepEqual(problems(aDefinition({ versions })), []);
  });

  test('may have properties named like those of every JavaScript object', () => {
    const properties = JSON.parse('{"__proto__":{"type":"x"},"constructor":{"type":"string"}}') as Record<
      string,
      JsonSchema
    >;
    assert.deepEqual(problems(aDefinition({ versions: [aVersion(properties)] })), [
      'spec.validation.openAPIV3Schema.properties[__proto__].type: Unsupported value: "x": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ]);
    const list: JsonSchema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['constructor'],
      items: { type: 'object', properties: { a: { type: 'string' } } },
    };
    assert.deepEqual(problems(withProperty(list)), [
      'spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-map-keys: Invalid value: ["constructor"]: entries must all be names of item properties',
    ]);
  });
});
