import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText, parseJson } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { validateValue } from './validate-value.ts';
import { ValueSchema } from './value-schema.ts';

/** The messages of kube-apiserver v1.36 about `{"x": …}`. */
function problems(schema: JsonSchema, json: string): string[] {
  const root = new ValueSchema({ type: 'object', properties: { x: schema } });
  return validateValue(parseJson(`{"x":${json}}`).value, root).map(fieldErrorText);
}

function wrongType(expected: string, found: string): string {
  return `x: Invalid value: "${found}": x in body must be of type ${expected}: "${found}"`;
}

const notInteger = '<nil>: Invalid value: "": Checked value must be of type integer (default format) in x';

describe('types', () => {
  test('depend on how a number was written', () => {
    assert.deepEqual(problems({ type: 'integer' }, '1'), []);
    assert.deepEqual(problems({ type: 'integer' }, '1.0'), []);
    assert.deepEqual(problems({ type: 'integer' }, '9223372036854775807'), []);
    assert.deepEqual(problems({ type: 'integer' }, '1.5'), [wrongType('integer', 'number'), notInteger]);
    assert.deepEqual(problems({ type: 'integer' }, '1e20'), [wrongType('integer', 'number'), notInteger]);
    assert.deepEqual(problems({ type: 'integer' }, '3.0000000001'), [notInteger]);
    assert.deepEqual(problems({ type: 'number' }, '1'), []);
  });

  test('have the names of JSON', () => {
    assert.deepEqual(problems({ type: 'string' }, 'true'), [wrongType('string', 'boolean')]);
    assert.deepEqual(problems({ type: 'boolean' }, '[]'), [wrongType('boolean', 'array')]);
    assert.deepEqual(problems({ type: 'object' }, '"a"'), [wrongType('object', 'string')]);
    assert.deepEqual(problems({ type: 'array' }, '{}'), [wrongType('array', 'object')]);
    assert.deepEqual(problems({ type: 'string' }, 'null'), [wrongType('string', 'null')]);
    assert.deepEqual(problems({ type: 'string', nullable: true }, 'null'), []);
    assert.deepEqual(problems({ 'x-kubernetes-int-or-string': true }, 'true'), [
      wrongType('integer,string', 'boolean'),
    ]);
    assert.deepEqual(problems({}, 'true'), []);
  });

  test('depend on the format', () => {
    assert.deepEqual(problems({ type: 'string', format: 'date' }, '5'), [
      'x: Invalid value: "int64": x in body must be of type date: "int64"',
    ]);
    assert.deepEqual(problems({ type: 'string', format: 'date' }, '[]'), []);
    assert.deepEqual(problems({ type: 'string', format: 'date' }, '"x"'), [
      'x: Invalid value: "x": x in body must be of type date: "x"',
    ]);
    assert.deepEqual(problems({ type: 'string', format: 'unheard-of' }, '"x"'), []);
  });
});

describe('numbers', () => {
  test('have bounds', () => {
    const should = 'x in body should be';
    assert.deepEqual(problems({ type: 'integer', minimum: 3 }, '2'), [
      `x: Invalid value: 2: ${should} greater than or equal to 3`,
    ]);
    assert.deepEqual(problems({ type: 'integer', minimum: 3, exclusiveMinimum: true }, '3'), [
      `x: Invalid value: 3: ${should} greater than 3`,
    ]);
    assert.deepEqual(problems({ type: 'number', maximum: 1_000_000 }, '1500000.5'), [
      `x: Invalid value: 1.5000005e+06: ${should} less than or equal to 1e+06`,
    ]);
    assert.deepEqual(problems({ type: 'number', maximum: 3.5, exclusiveMaximum: true }, '4'), [
      `x: Invalid value: 4: ${should} less than 3`,
    ]);
    assert.deepEqual(problems({ type: 'integer', multipleOf: 5 }, '7'), [
      `x: Invalid value: 7: ${should} a multiple of 5`,
    ]);
    assert.deepEqual(problems({ type: 'number', multipleOf: 0.1 }, '0.35'), [
      `x: Invalid value: 0.35: ${should} a multiple of 0.1`,
    ]);
  });

  test('must be within the range of their format, and so must the bounds', () => {
    assert.deepEqual(problems({ type: 'integer', format: 'int32' }, '2147483647'), []);
    assert.deepEqual(problems({ type: 'integer', format: 'int32' }, '2147483648'), [
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in x',
    ]);
    assert.deepEqual(problems({ type: 'number', format: 'float' }, '3.5e38'), [
      '<nil>: Invalid value: "": Checked value must be of type number with format float in x',
    ]);
    assert.deepEqual(problems({ type: 'integer', maximum: 3.5 }, '3'), [
      '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in x',
    ]);
  });
});

describe('strings', () => {
  test('are counted in code points, and only the first problem is reported', () => {
    assert.deepEqual(problems({ type: 'string', maxLength: 2 }, '"😀😀"'), []);
    assert.deepEqual(problems({ type: 'string', maxLength: 2, pattern: '^a' }, '"😀😀😀"'), [
      'x: Too long: may not be more than 2 bytes',
    ]);
    assert.deepEqual(problems({ type: 'string', minLength: 2 }, '"😀"'), [
      'x: Invalid value: "😀": x in body should be at least 2 chars long',
    ]);
    assert.deepEqual(problems({ type: 'string', pattern: '^a+$' }, '"b"'), [
      `x: Invalid value: "b": x in body should match '^a+$'`,
    ]);
  });
});

describe('choices', () => {
  test('are listed', () => {
    assert.deepEqual(problems({ type: 'string', enum: ['a', 'b'] }, '"c"'), [
      'x: Unsupported value: "c": supported values: "a", "b"',
    ]);
    assert.deepEqual(problems({ type: 'integer', enum: [1, 2] }, '3'), [
      'x: Unsupported value: 3: supported values: "1", "2"',
    ]);
    assert.deepEqual(problems({ enum: [{ a: 1, b: 'x' }] }, '{"b":"y","a":1}'), [
      String.raw`x: Unsupported value: {"a":1,"b":"y"}: supported values: "{\"a\":1,\"b\":\"x\"}"`,
    ]);
  });

  test('are compared as Go converts numbers', () => {
    assert.deepEqual(problems({ type: 'number', enum: [1.5, 2] }, '2.5'), []);
    assert.deepEqual(problems({ type: 'number', enum: [1.5] }, '2.5').length, 1);
    assert.deepEqual(problems({ 'x-kubernetes-int-or-string': true, enum: ['A'] }, '65'), []);
  });

  test('never include null', () => {
    assert.deepEqual(problems({ type: 'string', nullable: true, enum: ['a', null] }, 'null'), [
      'x: Unsupported value: null: supported values: "a", "null"',
    ]);
  });
});

describe('lists and objects', () => {
  test('have sizes', () => {
    const list: JsonSchema = { type: 'array', minItems: 2, maxItems: 3, items: { type: 'integer' } };
    assert.deepEqual(problems(list, '[1]'), ['x: Invalid value: 1: x in body should have at least 2 items']);
    assert.deepEqual(problems(list, '[1,2,3,4]'), ['x: Too many: 4: must have at most 3 items']);
    const map: JsonSchema = {
      type: 'object',
      additionalProperties: { type: 'integer' },
      minProperties: 1,
      maxProperties: 1,
    };
    assert.deepEqual(problems(map, '{}'), ['x: Invalid value: 0: x in body should have at least 1 properties']);
    assert.deepEqual(problems(map, '{"a":1,"b":2}'), ['x: Too many: 2: must have at most 1 item']);
  });

  test('have parts with paths', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['list', 'name'],
      properties: { list: { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } } },
    };
    assert.deepEqual(problems(schema, '{"list":[{"a":1},{"b.c":true}]}'), [
      'x.list[0].a: Invalid value: "integer": x.list[0].a in body must be of type string: "integer"',
      'x.list[1].b.c: Invalid value: "boolean": x.list[1].b.c in body must be of type string: "boolean"',
      'x.name: Required value',
    ]);
  });

  test('may be closed', () => {
    assert.deepEqual(problems({ type: 'object', additionalProperties: false }, '{"a":1}'), [
      'x: Invalid value: "a": x.a in body is a forbidden property',
    ]);
  });

  test('may have properties named like those of every JavaScript object', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['constructor'],
      properties: { toString: { type: 'string' } },
    };
    assert.deepEqual(problems(schema, '{}'), ['x.constructor: Required value']);
    assert.deepEqual(problems(schema, '{"constructor":1,"__proto__":2}'), []);
  });
});

describe('junctors', () => {
  const elsewhere = (message: string): string => `<nil>: Invalid value: "": "x" ${message}`;
  const tooShort = (min: number, text: string): string =>
    `x: Invalid value: "${text}": x in body should be at least ${min} chars long`;

  test('with anyOf report the branch with most successes', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'integer' } },
      anyOf: [{ required: ['b'] }, { required: ['a'], properties: { c: { minimum: 3 } } }],
    };
    assert.deepEqual(problems(schema, '{"c":1}'), [
      elsewhere('must validate at least one schema (anyOf)'),
      'x.c: Invalid value: 1: x.c in body should be greater than or equal to 3',
      'x.a: Required value',
    ]);
    assert.deepEqual(problems(schema, '{"b":"x"}'), []);
  });

  test('with oneOf need exactly one match', () => {
    const schema: JsonSchema = { type: 'string', oneOf: [{ minLength: 2 }, { pattern: '^x' }] };
    assert.deepEqual(problems(schema, '"a"'), [
      elsewhere('must validate one and only one schema (oneOf). Found none valid'),
      tooShort(2, 'a'),
    ]);
    assert.deepEqual(problems(schema, '"xa"'), [
      elsewhere('must validate one and only one schema (oneOf). Found 2 valid alternatives'),
    ]);
  });

  test('with allOf and not', () => {
    const all: JsonSchema = { type: 'string', allOf: [{ minLength: 2 }, { pattern: '^x' }] };
    assert.deepEqual(problems(all, '"x"'), [tooShort(2, 'x'), elsewhere('must validate all the schemas (allOf)')]);
    assert.deepEqual(problems(all, '"a"').at(-1), elsewhere('must validate all the schemas (allOf). None validated'));
    assert.deepEqual(problems({ type: 'string', not: { pattern: '^x' } }, '"x"'), [
      elsewhere('must not validate the schema (not)'),
    ]);
  });

  test('report a problem once', () => {
    const same: JsonSchema = { type: 'string', minLength: 2, allOf: [{ minLength: 2 }] };
    assert.deepEqual(problems(same, '"a"').filter((message) => message === tooShort(2, 'a')).length, 1);
  });
});

test('a response is limited, however many items violate however many choices', () => {
  const choices = Array.from({ length: 2000 }, (_, i) => `choice-${i}`);
  const schema: JsonSchema = { type: 'array', items: { type: 'string', enum: choices } };
  const found = problems(schema, JSON.stringify(Array.from({ length: 20_000 }, () => 'x')));
  assert.ok(found.length > 100 && found.length < 20_000);
});

test('a hundred thousand invalid items are checked until the response is full', () => {
  const schema: JsonSchema = { type: 'array', items: { type: 'integer' } };
  assert.equal(problems(schema, JSON.stringify(Array.from({ length: 100_000 }, () => 'x'))).length, 2000);
});
