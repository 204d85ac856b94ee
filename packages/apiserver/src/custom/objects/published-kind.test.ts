import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringifyJson, type JsonObject } from '@flotilla/kube';
import { publishedKind } from './published-kind.ts';

const either = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
const spec: JsonObject = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', maximum: 9223372036854775807n as unknown as number, description: 'a "quoted" } brace\\' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    open: { type: 'object', additionalProperties: true },
    list: { type: 'array', items: { type: 'object', properties: { kind: { type: 'string' } } } },
  },
};

const schemas: Readonly<Record<string, JsonObject | undefined>> = {
  'without a schema': undefined,
  'without fields': { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  'with fields of all sorts': { type: 'object', description: 'a ship', properties: { spec } },
  'that says something of metadata': {
    properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } }, spec },
    type: 'object',
  },
  'with a declared int-or-string': { type: 'object', properties: { port: either, other: either } },
  'with a number or a string that does not say so': {
    type: 'object',
    properties: { port: { 'x-kubernetes-int-or-string': true }, other: either },
  },
  'with an object inside': {
    type: 'object',
    properties: { inner: { type: 'object', 'x-kubernetes-embedded-resource': true } },
  },
};

for (const [what, schema] of Object.entries(schemas)) {
  test(`a kind ${what} has the same document with and without parsing`, () => {
    const versions = [
      { name: 'v0', served: true, schema: { openAPIV3Schema: { type: 'object', properties: { old: spec } } } },
      { name: 'v1', served: true, ...(schema && { schema: { openAPIV3Schema: schema } }) },
    ];
    const definition = { kind: 'CustomResourceDefinition', metadata: { name: 'x' }, spec: { group: 'g', versions } };
    const bytes = Buffer.from(stringifyJson(definition));
    const published = publishedKind({
      group: 'example.com',
      version: 'v1',
      kind: 'Ship',
      listKind: 'ShipList',
      plural: 'ships',
      selectableFields: [{ jsonPath: '.spec.size' }],
      state: '',
      readSchema: () => schema,
      definition: bytes,
    });
    const shown = JSON.parse(`{${Buffer.concat(published.schemaPieces()).toString()}}`) as unknown;
    assert.deepEqual(shown, JSON.parse(stringifyJson(published.schemas('v3'))));
  });
}
