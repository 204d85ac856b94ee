import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText, parseJson, type JsonObject } from '@flotilla/kube';
import type { JsonSchema, ValidationRule } from '../json-schema.ts';
import { SchemaNode } from '../schema-node.ts';
import { RuleRunner } from './rule-runner.ts';

function withRules(schema: JsonSchema, ...rules: (string | ValidationRule)[]): JsonSchema {
  return { ...schema, 'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)) };
}

const integer: JsonSchema = { type: 'integer' };
const string: JsonSchema = { type: 'string', maxLength: 64 };

function runner(properties: Record<string, JsonSchema>, ...rules: (string | ValidationRule)[]): RuleRunner {
  const spec = withRules({ type: 'object', properties }, ...rules);
  return new RuleRunner(new SchemaNode({ type: 'object', properties: { spec } }));
}

function run(rules: RuleRunner, spec: string, old?: string): { errors: string[]; warnings: string[] } {
  const parse = (text: string): JsonObject => parseJson(`{"kind":"Ship","spec":${text}}`).value as JsonObject;
  const { errors, warnings } = rules.run(parse(spec), old === undefined ? undefined : parse(old));
  return { errors: errors.map(fieldErrorText), warnings };
}

const errorsOf = (rules: RuleRunner, spec: string, old?: string): string[] => run(rules, spec, old).errors;

describe('a rule that is false', () => {
  test('is reported with its text, or with its own message', () => {
    const rules = runner({ x: withRules(integer, 'self < 3', { rule: 'self != 7', message: ' not seven ' }) });
    assert.deepEqual(errorsOf(rules, '{"x":7}'), [
      'spec.x: Invalid value: 7: failed rule: self < 3',
      'spec.x: Invalid value: 7: not seven',
    ]);
    assert.deepEqual(errorsOf(rules, '{"x":1}'), []);
  });

  test('does not print values that are not scalars', () => {
    const rules = runner({ l: withRules({ type: 'array', items: integer }, 'self.size() < 2') }, 'has(self.l)');
    assert.deepEqual(errorsOf(rules, '{"l":[1,2]}'), ['spec.l: Invalid value: failed rule: self.size() < 2']);
    assert.deepEqual(errorsOf(rules, '{}'), ['spec: Invalid value: failed rule: has(self.l)']);
  });

  test('has the reason and the path that it declares', () => {
    const rules = runner(
      { a: { type: 'object', properties: { 'b-c': string } } },
      { rule: 'has(self.a)', reason: 'FieldValueRequired', fieldPath: '.a', message: 'needed' },
      { rule: '!has(self.a)', reason: 'FieldValueForbidden', fieldPath: ".a['b-c']", message: 'not wanted' },
      { rule: '!has(self.a)', reason: 'FieldValueDuplicate' },
    );
    assert.deepEqual(errorsOf(rules, '{}'), ['spec.a: Required value: needed']);
    assert.deepEqual(errorsOf(rules, '{"a":{}}'), ['spec.a.b-c: Forbidden: not wanted', 'spec: Duplicate value']);
  });

  test('may have a message expression that returns one line of text', () => {
    const says = (messageExpression: string): ValidationRule => ({
      rule: 'false',
      messageExpression,
      message: 'plain',
    });
    const rules = runner(
      { x: integer },
      says('"x is " + string(self.x)'),
      says('"a\\nb"'),
      says('" "'),
      says('string(1/0)'),
    );
    const error = (text: string): string => `spec: Invalid value: ${text}`;
    assert.deepEqual(errorsOf(rules, '{"x":5}'), [error('x is 5'), error('plain'), error('plain'), error('plain')]);
  });
});

describe('a rule that cannot be evaluated', () => {
  test('is reported with the error', () => {
    const rules = runner({ x: integer, y: integer }, 'self.x / self.y > 1');
    assert.deepEqual(errorsOf(rules, '{"x":1,"y":0}'), [
      'spec: Invalid value: "object": division by zero evaluating rule: self.x / self.y > 1',
    ]);
    assert.deepEqual(errorsOf(rules, '{"x":1}'), [
      'spec: Invalid value: "object": no such key: y evaluating rule: self.x / self.y > 1',
    ]);
    assert.deepEqual(errorsOf(rules, '{"x":1.0,"y":1}'), [
      'spec: Invalid value: "object": invalid data, expected int, got float64 evaluating rule: self.x / self.y > 1',
    ]);
  });

  test('because of types that are only known at run time', () => {
    const rules = runner({ q: { 'x-kubernetes-int-or-string': true } }, 'self.q > 5');
    assert.deepEqual(errorsOf(rules, '{"q":6}'), []);
    assert.match(errorsOf(rules, '{"q":"x"}')[0] ?? '', /^spec: Invalid value: "object": 'no such overload/);
  });

  test('because it does not compile, is reported for each object', () => {
    const [error = ''] = errorsOf(runner({ x: integer }, 'self.x =='), '{"x":1}');
    assert.match(error, /^spec: Invalid value: "object": rule compile error: compilation failed: ERROR: <input>:1:/);
  });
});

describe('the cost budget', () => {
  const numbers: JsonSchema = { type: 'array', items: integer };
  const square = 'self.all(x, self.all(y, x + y > 0))';
  const ones = (count: number): string => `[${Array.from({ length: count }).fill(1).join()}]`;

  test('limits one call, after which nothing more is run', () => {
    const rules = runner({ l: withRules(numbers, square), z: withRules(integer, 'self > 5') });
    assert.deepEqual(errorsOf(rules, `{"l":${ones(900)},"z":1}`), [
      `spec.l: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules ` +
        `will be run due to call cost exceeds limit for rule: ${square}`,
    ]);
    assert.deepEqual(errorsOf(rules, `{"l":${ones(300)},"z":6}`), []);
  });

  test('limits one object', () => {
    const lists: JsonSchema = { type: 'array', items: withRules(numbers, square) };
    const errors = errorsOf(runner({ lists }), `{"lists":[${Array.from({ length: 60 }).fill(ones(300)).join()}]}`);
    assert.equal(errors.length, 1);
    assert.match(
      errors[0] ?? '',
      /"array": validation failed due to running out of cost budget, no further validation/,
    );
  });
});

test('the response is limited, however many items fail with however long a message', () => {
  const items = withRules(integer, { rule: 'self > 5', message: 'x'.repeat(100_000) });
  const list = JSON.stringify(Array.from({ length: 1000 }, () => 1));
  const { length } = errorsOf(runner({ l: { type: 'array', items } }), `{"l":${list}}`);
  assert.ok(length > 100 && length < 1000);
});

describe('a transition rule', () => {
  test('runs only if there is an old value', () => {
    const rules = runner({ x: withRules(integer, 'self >= oldSelf') });
    assert.deepEqual(errorsOf(rules, '{"x":1}'), []);
    assert.deepEqual(errorsOf(rules, '{"x":1}', '{}'), []);
    assert.deepEqual(errorsOf(rules, '{"x":1}', '{"x":2}'), ['spec.x: Invalid value: 1: failed rule: self >= oldSelf']);
  });

  test('runs without an old value if it declares that it can', () => {
    const rules = runner({ x: withRules(integer, { rule: 'oldSelf.hasValue() || self == 1', optionalOldSelf: true }) });
    assert.deepEqual(errorsOf(rules, '{"x":2}').length, 1);
    assert.deepEqual(errorsOf(rules, '{"x":2}', '{"x":1}'), []);
  });

  test('matches items of lists by their keys', () => {
    const item = { type: 'object', properties: { k: string, v: withRules(integer, 'self == oldSelf') } };
    const keys = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
    const rules = runner({ l: { type: 'array', items: item, ...keys } });
    const old = '{"l":[{"k":"a","v":1},{"k":"b","v":2}]}';
    assert.deepEqual(errorsOf(rules, '{"l":[{"k":"b","v":2},{"k":"c","v":9},{"k":"a","v":3}]}', old), [
      'spec.l[2].v: Invalid value: 3: failed rule: self == oldSelf',
    ]);
  });
});

describe('an unchanged value', () => {
  const rules = runner({
    x: withRules(integer, 'self > 10'),
    l: { type: 'array', items: withRules(integer, 'self > 10') },
    m: { type: 'object', additionalProperties: withRules(integer, 'self > 10') },
  });

  test('fails with a warning only', () => {
    assert.deepEqual(run(rules, '{"x":1}', '{"x":1}'), {
      errors: [],
      warnings: ['spec.x: Invalid value: 1: failed rule: self > 10'],
    });
    assert.deepEqual(run(rules, '{"x":2}', '{"x":1}').warnings, []);
  });

  test('is a whole list, and a single entry of a map', () => {
    assert.equal(run(rules, '{"l":[1,20]}', '{"l":[1,20]}').warnings.length, 1);
    assert.equal(run(rules, '{"l":[1,20]}', '{"l":[1]}').errors.length, 1);
    assert.deepEqual(run(rules, '{"m":{"a":1,"b.c":2}}', '{"m":{"a":1}}'), {
      errors: ['spec.m[b.c]: Invalid value: 2: failed rule: self > 10'],
      warnings: ['spec.m[a]: Invalid value: 1: failed rule: self > 10'],
    });
  });
});

describe('the values in rules', () => {
  test('are typed by formats', () => {
    const rules = runner(
      {
        time: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        wait: { type: 'string', format: 'duration' },
        bytes: { type: 'string', format: 'byte' },
      },
      'self.time > timestamp("2020-01-01T00:00:00Z")',
      'self.day.getFullYear() == 2024',
      'self.wait < duration("1h")',
      'self.bytes == b"abc"',
    );
    const spec = '"time":"2021-01-01T00:00:00Z","day":"2024-05-06","wait":"5 minutes"';
    assert.deepEqual(errorsOf(rules, `{${spec},"bytes":"YWJj"}`), []);
    assert.match(
      errorsOf(rules, `{${spec},"bytes":"+/+/"}`)[0] ?? '',
      /illegal base64 data at input byte 0 evaluating/,
    );
  });

  test('have fields by escaped names, and no field that is null', () => {
    const nullable = { ...string, nullable: true };
    const rules = runner({ 'a-b': string, namespace: string, n: nullable }, 'self.a__dash__b == "x"', '!has(self.n)');
    assert.deepEqual(errorsOf(rules, '{"a-b":"x","n":null}'), []);
  });

  test('include sets and lists by key in any order', () => {
    const set: JsonSchema = { type: 'array', items: string, 'x-kubernetes-list-type': 'set' };
    const byKey: JsonSchema = {
      type: 'array',
      items: { type: 'object', properties: { k: string, v: integer } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    };
    const rules = runner(
      { set, byKey },
      'self.set == oldSelf.set && (self.set + oldSelf.set).size() == 2',
      'self.byKey == oldSelf.byKey && (self.byKey + oldSelf.byKey).size() == 2',
    );
    const old = '{"set":["a","b"],"byKey":[{"k":"a","v":1},{"k":"b","v":2}]}';
    assert.deepEqual(errorsOf(rules, '{"set":["b","a"],"byKey":[{"k":"b","v":2},{"k":"a","v":1}]}', old), []);
    assert.equal(errorsOf(rules, '{"set":["b","c"],"byKey":[{"k":"b","v":2},{"k":"a","v":2}]}', old).length, 2);
  });
});
