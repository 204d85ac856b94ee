import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText, required, type JsonObject, type KubeObject } from '@flotilla/kube';
import { compileSchema } from './compile-schema.ts';
import type { CompiledSchema, Validation } from './compiled-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** Accepts any metadata, except for a name that is not a string. */
const metadata = {
  mergeType: {},
  read: (value: unknown) => {
    const object = value as JsonObject;
    const isBad = object['name'] !== undefined && typeof object['name'] !== 'string';
    const { extra, ...known } = object;
    return {
      metadata: known,
      ...(isBad && { error: 'json: cannot unmarshal' }),
      unknownFields: extra === undefined ? [] : ['extra'],
    };
  },
};

function compiled(spec: Record<string, JsonSchema>, more: JsonSchema = {}): CompiledSchema {
  const schema: JsonSchema = { type: 'object', properties: { spec: { type: 'object', properties: spec, ...more } } };
  return compileSchema(schema, { metadata });
}

function object(spec: JsonObject, more: JsonObject = {}): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'Ship', metadata: { name: 'argo' }, spec, ...more };
}

const texts = ({ errors }: Validation): string[] => errors.map(fieldErrorText);

const string: JsonSchema = { type: 'string', maxLength: 2 };
const listByKey: JsonSchema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: string } },
};

describe('an update', () => {
  const schema = compiled({
    text: string,
    list: { type: 'array', items: string },
    byKey: listByKey,
    parts: { type: 'object', required: ['must'], properties: { a: string, b: { type: 'string' } } },
    either: { type: 'string', anyOf: [{ maxLength: 1 }, { pattern: '^x' }] },
  });
  const old = object({
    text: 'long',
    list: ['long', 'list'],
    byKey: [
      { k: 'a', v: 'long' },
      { k: 'b', v: 'long' },
    ],
    parts: { a: 'long', b: 'x' },
    either: 'long',
  });
  const update = (spec: JsonObject): string[] => texts(schema.validateUpdate(object(spec), old));

  test('may keep an invalid value', () => {
    assert.deepEqual(update(old['spec'] as JsonObject), []);
    assert.equal(texts(schema.validate(old)).length, 9);
  });

  test('may not make it invalid in another way', () => {
    assert.deepEqual(update({ text: 'longer' }), ['spec.text: Too long: may not be more than 2 bytes']);
    assert.equal(update({ either: 'longer' }).length, 2);
  });

  test('matches items by their keys, in any order', () => {
    assert.deepEqual(update({ byKey: [{ k: 'b', v: 'long' }] }), []);
    assert.deepEqual(update({ byKey: [{ k: 'c', v: 'long' }] }), [
      'spec.byKey[0].v: Too long: may not be more than 2 bytes',
    ]);
  });

  test('treats a list without keys as a whole', () => {
    assert.deepEqual(update({ list: ['list', 'long'] }).length, 2);
  });

  test('reports missing fields of an object that changed', () => {
    assert.deepEqual(update({ parts: { a: 'long', b: 'y' } }), ['spec.parts.must: Required value']);
  });

  test('may keep duplicates, but not add any', () => {
    const sets = compiled({ set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' } });
    const repeated = object({ set: ['a', 'a', 'b', 'b'] });
    assert.deepEqual(texts(sets.validateUpdate(repeated, object({ set: ['a', 'a'] }))), []);
    assert.equal(texts(sets.validateUpdate(repeated, object({ set: ['a'] }))).length, 2);
  });
});

describe('an update of the status', () => {
  const schema = compileSchema(
    {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { x: string } },
        status: { type: 'object', properties: { n: { type: 'integer', anyOf: [{ minimum: 5 }] } } },
      },
    },
    { metadata },
  );

  test('validates only the status, and reports full paths', () => {
    const update = object({ x: 'much too long' }, { status: { n: 1 } });
    assert.deepEqual(texts(schema.validateStatusUpdate(update, object({}))), [
      'status: Invalid value: "": "n" must validate at least one schema (anyOf)',
      'status.n: Invalid value: 1: n in body should be greater than or equal to 5',
    ]);
    assert.deepEqual(texts(schema.validateStatusUpdate(object({}), object({}))), []);
  });
});

describe('embedded resources', () => {
  const schema = compiled({
    list: {
      type: 'array',
      items: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    },
  });

  test('must have apiVersion and kind', () => {
    const errors = texts(schema.validate(object({ list: [{}, { apiVersion: 'a/b/c', kind: 'x_y' }] })));
    assert.deepEqual(errors.slice(0, 3), [
      'spec.list[0].apiVersion: Required value',
      'spec.list[0].kind: Required value',
      'spec.list[1].apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ]);
    assert.match(errors[3] ?? '', /^spec\.list\[1\]\.kind: Invalid value: "x_y": may have mixed case, but should/);
  });

  test('must have metadata that is valid by itself, except for a missing name', () => {
    const resource = (meta: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'X', metadata: meta });
    assert.deepEqual(texts(schema.validate(object({ list: [resource({}), resource({ name: 'a/b' })] }))), [
      `spec.list[1].metadata.name: Invalid value: "a/b": may not contain '/'`,
    ]);
  });

  test('have their metadata decoded as the server decodes it', () => {
    const item = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', extra: 1, creationTimestamp: null } };
    const fresh = object({ list: [structuredClone(item)] });
    assert.deepEqual(schema.coerceEmbedded(fresh, false), { unknownFields: ['spec.list[0].metadata.extra'] });
    assert.deepEqual(fresh['spec'], { list: [{ apiVersion: 'v1', kind: 'X', metadata: { name: 'a' } }] });
  });

  test('with fields of wrong types are refused, or lose them if they are stored', () => {
    const broken = (): KubeObject => object({ list: [{ apiVersion: 1, kind: 'X', metadata: { name: 5, uid: 'u' } }] });
    assert.deepEqual(schema.coerceEmbedded(broken(), false), {
      error: 'spec.list[0].apiVersion: Invalid value: 1: must be a string',
      unknownFields: [],
    });
    const stored = broken();
    assert.deepEqual(schema.coerceEmbedded(stored, true), { unknownFields: [] });
    assert.deepEqual(stored['spec'], { list: [{ kind: 'X', metadata: { uid: 'u' } }] });
  });
});

describe('other errors', () => {
  const rules = { 'x-kubernetes-validations': [{ rule: 'self.x != "a"' }] };
  const notChecked =
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; ' +
    'correct the existing errors to complete validation';

  test('are ordered among those of the schema', () => {
    const schema = compiled({ x: string });
    const others = { metadata: [required('metadata.name')], scale: [required('.spec.replicas')] };
    assert.deepEqual(texts(schema.validate(object({ x: 'long' }), others)), [
      'metadata.name: Required value',
      'spec.x: Too long: may not be more than 2 bytes',
      '.spec.replicas: Required value',
    ]);
  });

  test('may prevent rules from running', () => {
    assert.deepEqual(texts(compiled({ x: string }, rules).validate(object({ x: 'long' }))), [
      'spec.x: Too long: may not be more than 2 bytes',
      notChecked,
    ]);
    const others = { metadata: [required('metadata.name')] };
    assert.deepEqual(texts(compiled({ x: string }, rules).validate(object({ x: 'a' }), others)).at(-1), notChecked);
  });
});
