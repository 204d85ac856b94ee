import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CustomResourceDefinition, DefinitionVersion } from '../definition/custom-resource-definition.ts';
import type { JsonSchema } from '../json-schema.ts';
import { printTypes } from './print-types.ts';

function definition(
  properties: Record<string, JsonSchema>,
  ...more: Partial<DefinitionVersion>[]
): CustomResourceDefinition {
  const version: DefinitionVersion = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', description: 'A vessel.', properties } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'ships.sea.example.com' },
    spec: {
      group: 'sea.example.com',
      scope: 'Namespaced',
      names: { plural: 'ships', kind: 'Ship' },
      versions: [version, ...more.map((other) => ({ ...version, storage: false, ...other }))],
    },
  };
}

function printed(text: string, name: string): string[] {
  const [, body = ''] = new RegExp(`export interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(text) ?? [];
  return body.split('\n').map((line) => line.trim());
}

function fieldType(schema: JsonSchema): string | undefined {
  return printed(printTypes([definition({ x: schema })]), 'Ship')
    .find((line) => line.startsWith('x?: '))
    ?.slice('x?: '.length, -1);
}

describe('generated types', () => {
  test('have an interface for the kind, with the fields of every object, and one for its lists', () => {
    const text = printTypes([definition({ spec: { type: 'object', properties: { port: { type: 'string' } } } })]);
    assert.deepEqual(printed(text, 'Ship'), [
      'apiVersion: "sea.example.com/v1";',
      'kind: "Ship";',
      'metadata: ObjectMeta;',
      'spec?: ShipSpec;',
    ]);
    assert.deepEqual(printed(text, 'ShipSpec'), ['port?: string;']);
    assert.equal(printed(text, 'ShipList').at(-1), 'items: Ship[];');
  });

  test('keep descriptions as comments, which cannot end early', () => {
    const text = printTypes([
      definition({ spec: { type: 'string', description: 'One.\nTwo */ export const evil = 1;' } }),
    ]);
    assert.match(text, /\/\*\* A vessel\. \*\/\nexport interface Ship/);
    assert.match(text, / {2}\/\*\*\n {3}\* One\.\n {3}\* Two \*\u200b\/ export const evil = 1;\n {3}\*\/\n {2}spec/);
  });

  test('quote names that are not identifiers', () => {
    const text = printTypes([definition({ 'a-b"c': { type: 'string' } })]);
    assert.ok(printed(text, 'Ship').includes('"a-b\\"c"?: string;'));
  });

  test('name versions if there are several, and omit those that are not served', () => {
    const text = printTypes([definition({}, { name: 'v1beta1' }, { name: 'v0', served: false })]);
    assert.match(text, /interface ShipV1 /);
    assert.match(text, /interface ShipV1beta1 /);
    assert.doesNotMatch(text, /ShipV0/);
  });

  test('have unique names', () => {
    const list: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const other = definition({});
    other.spec.group = 'lake.example.com';
    const text = printTypes([definition({ list }), other]);
    const names = [...text.matchAll(/export interface (\w+)/g)].map(([, name]) => name);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.includes('ShipLakeExampleCom'));
  });
});

describe('a field', () => {
  const cases: readonly (readonly [string, JsonSchema, string])[] = [
    ['of whole numbers', { type: 'integer' }, 'number'],
    ['with listed values', { type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    ['of a number or a string', { 'x-kubernetes-int-or-string': true }, 'number | string'],
    ['that may be null', { type: 'string', nullable: true }, 'string | null'],
    ['that is a list', { type: 'array', items: { type: 'string' } }, 'string[]'],
    ['that is a list of choices', { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, 'Array<"a" | "b">'],
    ['that is a map', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    ['of anything', { 'x-kubernetes-preserve-unknown-fields': true }, 'unknown'],
    ['that is any object', { type: 'object' }, 'Record<string, unknown>'],
    ['that holds an object', { type: 'object', 'x-kubernetes-embedded-resource': true }, 'KubernetesObject'],
    ['with fields', { type: 'object', properties: {} }, 'ShipX'],
  ];
  for (const [name, schema, expected] of cases) {
    test(`${name} is ${expected}`, () => assert.equal(fieldType(schema), expected));
  }

  test('that is required has no question mark', () => {
    const spec: JsonSchema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    assert.deepEqual(printed(printTypes([definition({ spec })]), 'ShipSpec'), ['a: string;']);
  });

  test('that preserves unknown fields has an index signature', () => {
    const open: JsonSchema = { type: 'object', properties: {}, 'x-kubernetes-preserve-unknown-fields': true };
    assert.deepEqual(printed(printTypes([definition({ spec: open })]), 'ShipSpec'), ['[field: string]: unknown;']);
  });
});
