import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ExpressionUse } from '@flotilla/builtins';
import { checkExpressions } from './policy-compiler.ts';

/** The first line of the fault; undefined if the expression can be used. */
const rows: readonly (readonly [use: ExpressionUse, expression: string, fault: string | undefined])[] = [
  ['validation', 'object.spec.replicas <= 5 && request.operation == "CREATE"', undefined],
  ['validation', 'authorizer.requestResource.check("get").allowed()', undefined],
  ['validation', 'object.spec.ok', 'must evaluate to bool but got dyn'],
  ['validation', 'timestamp("2024-01-01T00:00:00Z")', 'must evaluate to bool but got google.protobuf.Timestamp'],
  [
    'validation',
    'params.max > 1',
    "compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')",
  ],
  ['validation', 'variables.big', undefined],
  ['validation', 'variables.list[0] == 1', undefined],
  ['validation', 'request.user == ""', "compilation failed: ERROR: <input>:1:8: undefined field 'user'"],
  [
    'matchCondition',
    'variables.big',
    "compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')",
  ],
  ['messageExpression', '"not " + string(variables.big)', undefined],
  ['messageExpression', '1', 'must evaluate to string but got int'],
  [
    'messageExpression',
    'authorizer.path("/").check("get").reason()',
    "compilation failed: ERROR: <input>:1:1: undeclared reference to 'authorizer' (in container '')",
  ],
  ['auditAnnotation', 'null', undefined],
  ['auditAnnotation', 'true ? 1 : 2', 'must evaluate to one of [string null_type] but got int'],
  ['applyConfiguration', 'Object{spec: Object.spec{replicas: 1}}', undefined],
  ['applyConfiguration', 'Object.spec{}', 'must evaluate to Object but got Object.spec'],
  ['jsonPatch', 'has(object.spec) ? [JSONPatch{op: "remove", path: "/spec"}] : []', undefined],
  ['jsonPatch', '[{"op": "remove"}]', 'must evaluate to list(JSONPatch) but got list(map(string, string))'],
];

describe('expressions of a policy', () => {
  for (const [use, expression, fault] of rows) {
    test(`${use} \`${expression}\` ${fault === undefined ? 'can be used' : 'is refused'}`, () => {
      const checker = checkExpressions({ hasParams: false, hasVariables: true });
      assert.equal(checker.addVariable('big', 'object.spec.replicas > 5'), undefined);
      assert.equal(checker.addVariable('list', '[1, 2].filter(n, variables.big)'), undefined);
      assert.equal(checker.check(use, expression)?.detail.split('\n')[0], fault);
    });
  }

  test('a variable that does not compile can be read, and fails later', () => {
    const checker = checkExpressions({ hasParams: false, hasVariables: true });
    assert.match(checker.addVariable('bad', 'variables.later')?.detail ?? '', /undefined field 'later'/);
    assert.equal(checker.check('validation', 'variables.bad == 1'), undefined);
  });
});
