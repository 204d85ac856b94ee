import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compile } from '../environment.ts';
import { program } from '../evaluate/program.ts';
import { CelError, type CelValue } from '../value.ts';
import { celOf, CreatedStruct, jsonOf } from '../values/json-value.ts';
import { admissionEnvironment, DeclaredVariables } from './admission-environment.ts';
import { typeNameProblems } from './patch-types.ts';

const mutation = admissionEnvironment({ hasParams: false, hasAuthorizer: true, hasPatchTypes: true });
const validation = admissionEnvironment({ hasParams: false, hasAuthorizer: true });

const object = celOf({ metadata: { labels: { 'a/b': 'c' } }, spec: { replicas: 3, ratio: 0.5, ports: [80] } });

function evaluate(environment: typeof mutation, text: string): { readonly value: CelValue; readonly cost: number } {
  const compiled = compile(environment, text);
  if ('text' in compiled) throw new Error(compiled.text);
  const ready = program(environment, compiled.ast);
  if (ready instanceof CelError) throw new Error(ready.message);
  const { value, cost } = ready.evaluate({ object });
  if (value instanceof CelError) throw new Error(value.message);
  return { value, cost };
}

const problemsOf = (environment: typeof mutation, text: string): string => {
  const compiled = compile(environment, text);
  return 'text' in compiled ? (compiled.text.split('\n')[0] ?? '') : '';
};

describe('the environment of admission', () => {
  test('reads objects without a schema: whole numbers are ints, others doubles', () => {
    for (const text of [
      'object.spec.replicas == 3',
      'type(object.spec.replicas) == int',
      'type(object.spec.ratio) == double',
      "object.metadata.labels['a/b'] == 'c' && !has(object.status)",
      'object.spec.ports.all(port, port < 100)',
      "object == object && object.spec.ports + [81] == [80, 81] && 'spec' in object",
    ]) {
      assert.equal(evaluate(validation, text).value, true, text);
    }
  });

  test('creates apply configurations and patch operations as JSON', () => {
    const { value, cost } = evaluate(
      mutation,
      'Object{spec: Object.spec{replicas: object.spec.replicas + 1, list: object.spec.ports, ?none: optional.none()}}',
    );
    assert.deepEqual(jsonOf(value), { spec: { replicas: 4, list: [80] } });
    // 40 for each object, 3 for each path, 1 for the sum, 1 for the optional.
    assert.equal(cost, 88);
    const patch = evaluate(mutation, "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('~a/b')}]");
    assert.deepEqual(jsonOf(patch.value), [{ op: 'add', path: '/metadata/labels/~0a~1b' }]);
  });

  test('names the objects whose type does not follow their path', () => {
    const { value } = evaluate(mutation, 'Object{spec: Object.wrong{a: [Object.wrong.a{}]}}');
    assert.deepEqual(typeNameProblems(value as CreatedStruct), [
      'unexpected type name "Object.wrong", expected "Object.spec", which matches field name path from root Object type',
      'unexpected type name "Object.wrong.a", expected "Object.spec.a", which matches field name path from root Object type',
    ]);
  });

  test('has objects and patches only in mutations', () => {
    assert.equal(
      problemsOf(validation, 'Object{} == Object{}'),
      "ERROR: <input>:1:7: undeclared reference to 'Object' (in container '')",
    );
    assert.equal(
      problemsOf(mutation, 'JSONPatch{op: 1}'),
      "ERROR: <input>:1:13: expected type of field 'op' is 'string' but provided type is 'int'",
    );
  });

  test('gives variables the types of their expressions, except objects', () => {
    const declared = new DeclaredVariables();
    const environment = admissionEnvironment({ hasParams: true, hasAuthorizer: true, variables: declared.type });
    for (const [name, text] of [
      ['count', 'size(object.spec.ports)'],
      ['user', 'request.userInfo'],
    ] as const) {
      const compiled = compile(environment, text);
      assert.ok('ast' in compiled);
      declared.declare(name, compiled.ast.resultType);
    }
    assert.match(
      problemsOf(environment, "variables.count == 'a'"),
      /found no matching overload for '_==_' applied to '\(int, string\)'/,
    );
    assert.equal(problemsOf(environment, 'variables.user.nope == 1'), '');
    assert.match(problemsOf(environment, 'variables.missing'), /undefined field 'missing'/);
  });

  test('refuses to write a value that repeats its parts without end', () => {
    let doubled = '[1]';
    for (let i = 0; i < 20; i++) doubled = `[${doubled}].map(x, [x, x])[0]`;
    assert.ok(jsonOf(evaluate(mutation, doubled).value) instanceof CelError);
  });
});
