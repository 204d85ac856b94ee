import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { validateStructural } from './structural-rules.ts';

function problems(schema: JsonSchema): string[] {
  return validateStructural(schema, 'root').map(fieldErrorText);
}

/** Of a property `a` of an object. */
function problemsOfField(schema: JsonSchema): string[] {
  return problems({ type: 'object', properties: { a: schema } }).map((text) => text.replace('root.properties[a]', 'a'));
}

describe('types', () => {
  test('are required for each field and item, and the root is an object', () => {
    assert.deepEqual(problems({}), ['root.type: Required value: must not be empty at the root']);
    assert.deepEqual(problems({ type: 'string' }), ['root.type: Invalid value: "string": must be object at the root']);
    assert.deepEqual(problemsOfField({}), ['a.type: Required value: must not be empty for specified object fields']);
    assert.deepEqual(problemsOfField({ type: 'array', items: {} }), [
      'a.items.type: Required value: must not be empty for specified array items',
    ]);
    assert.deepEqual(problemsOfField({ type: 'array' }), ['a.items: Required value: must be specified']);
    assert.deepEqual(problemsOfField({ type: 'object', additionalProperties: {} }), [
      'a.additionalProperties.type: Required value: must not be empty for specified object fields',
    ]);
  });

  test('are optional where unknown fields are preserved, and for an int-or-string', () => {
    assert.deepEqual(problemsOfField({ 'x-kubernetes-preserve-unknown-fields': true }), []);
    assert.deepEqual(problemsOfField({ 'x-kubernetes-int-or-string': true }), []);
  });

  test('cannot be int-or-string and something else', () => {
    const schema = {
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    assert.deepEqual(problemsOfField(schema), [
      'a.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
    ]);
  });
});

describe('a resource', () => {
  test('has no additional properties at its root', () => {
    assert.deepEqual(problems({ type: 'object', additionalProperties: { type: 'string' } }), [
      'root.additionalProperties: Forbidden: must not be used at the root',
    ]);
  });

  test('restricts only the names in its metadata', () => {
    const metadata = (schema: JsonSchema): string[] => problems({ type: 'object', properties: { metadata: schema } });
    const refusal =
      'root.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified';
    const name = { type: 'string', pattern: '^a' };
    assert.deepEqual(metadata({ type: 'object' }), []);
    assert.deepEqual(metadata({ type: 'object', properties: { name } }), []);
    assert.deepEqual(metadata({ type: 'object', properties: { name, generateName: name } }), []);
    assert.deepEqual(metadata({ type: 'object', properties: { name, labels: { type: 'object' } } }), [refusal]);
    assert.deepEqual(metadata({ type: 'object', description: 'Names.' }), [refusal]);
    assert.deepEqual(metadata({ type: 'object', required: ['name'] }), [refusal]);
  });

  test('has string fields kind and apiVersion, at the root and when embedded', () => {
    const schema: JsonSchema = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { kind: { type: 'integer' }, metadata: { type: 'string' } },
    };
    assert.deepEqual(problemsOfField(schema), [
      'a.properties[kind].type: Invalid value: "integer": must be string',
      'a.properties[metadata].type: Invalid value: "string": must be object',
    ]);
  });

  test('that is embedded declares fields, or preserves unknown ones', () => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
    assert.deepEqual(problemsOfField(embedded), [
      'a.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ]);
    assert.deepEqual(problemsOfField({ ...embedded, 'x-kubernetes-preserve-unknown-fields': true }), []);
    assert.deepEqual(
      problemsOfField({ ...embedded, type: 'string' })[1],
      'a.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
    );
  });
});

describe('junctors', () => {
  test('declare nothing', () => {
    const junctor: JsonSchema = {
      type: 'string',
      description: 'x',
      nullable: true,
      default: 'x',
      additionalProperties: true,
    };
    assert.deepEqual(problemsOfField({ type: 'string', anyOf: [junctor] }), [
      'a.anyOf[0].additionalProperties: Forbidden: must be undefined to be structural',
      'a.anyOf[0].default: Forbidden: must be undefined to be structural',
      'a.anyOf[0].description: Forbidden: must be empty to be structural',
      'a.anyOf[0].nullable: Forbidden: must be false to be structural',
      'a.anyOf[0].type: Forbidden: must be empty to be structural',
    ]);
    assert.deepEqual(problemsOfField({ type: 'string', not: { allOf: [{ oneOf: [{ title: 'x' }] }] } }), [
      'a.not.allOf[0].oneOf[0].title: Forbidden: must be empty to be structural',
    ]);
  });

  test('may have the two types of an int-or-string, and no others', () => {
    const anyOf = [{ type: 'integer' }, { type: 'string' }];
    assert.deepEqual(problemsOfField({ 'x-kubernetes-int-or-string': true, anyOf }), []);
    assert.deepEqual(problemsOfField({ 'x-kubernetes-int-or-string': true, allOf: [{ anyOf }, { pattern: 'a' }] }), []);
    assert.equal(problemsOfField({ 'x-kubernetes-int-or-string': true, allOf: [{}, { anyOf }] }).length, 2);
    assert.equal(problemsOfField({ 'x-kubernetes-int-or-string': true, anyOf: anyOf.toReversed() }).length, 2);
  });

  test('at the root restrict only declared fields', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      anyOf: [{ properties: { a: { items: { minLength: 1 } }, b: { minLength: 1 } } }],
    };
    assert.deepEqual(problems(schema), [
      'root.properties[a].items: Required value: because it is defined in root.anyOf[0].properties[a].items',
      'root.properties[b]: Required value: because it is defined in root.anyOf[0].properties[b]',
    ]);
  });

  test('do not restrict metadata', () => {
    const schema = {
      type: 'object',
      properties: { metadata: { type: 'object' } },
      not: { properties: { metadata: {} } },
    };
    assert.deepEqual(problems(schema), [
      'root.not.properties[metadata]: Forbidden: must not be specified in a nested context',
    ]);
  });
});

test('refuses a pattern that Go cannot compile', () => {
  const pattern = String.raw`(?=a)`;
  assert.deepEqual(problemsOfField({ type: 'string', pattern }), [
    'a.pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
  ]);
  assert.deepEqual(problemsOfField({ type: 'string', pattern: '\\' }), [
    'a.pattern: Invalid value: "\\\\": must be a valid regular expression, but isn\'t: error parsing regexp: trailing backslash at end of expression: ``',
  ]);
});
