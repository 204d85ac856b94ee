import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, User } from '@flotilla/kube';
import { builtinCatalog } from '../../resources/builtin-resources.ts';
import { Registry } from '../../resources/registry.ts';
import { plainOptions } from '../../request/write-options.ts';
import type { Attributes } from '../admission.ts';
import { CostAllowance } from '../../resources/cost-allowance.ts';
import { AdmissionBindings } from './admission-bindings.ts';
import { MatchConditions, type ConditionsOutcome } from './match-conditions.ts';

const resource = new Registry(builtinCatalog()).find('', 'v1', 'pods');
assert.ok(resource);

const pod: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'default', labels: { app: 'x' } },
  spec: { priority: 3, containers: [{ name: 'c', image: 'i' }] },
};
const user: User = { name: 'ann', groups: ['dev'], extra: { 'example.com/x': ['1'] } };

const attributes: Attributes = {
  operation: 'CREATE',
  resource,
  subresource: '',
  namespace: 'default',
  name: 'a',
  object: pod,
  oldObject: undefined,
  options: { ...plainOptions, fieldManager: 'm' },
  user,
  dryRun: false,
  server: {
    access: {
      authorize: (asked: { verb: string; user: User }) => ({
        isAllowed: asked.verb === 'get',
        reason: asked.user.name,
      }),
    },
  } as unknown as Attributes['server'],
  warnings: [],
};
const { kind, version, group } = resource;
const matched = { resource, kind: { group, version, kind } };
const bindings = new AdmissionBindings(attributes, matched, { object: pod, oldObject: undefined });

function evaluate(expressions: readonly string[], failurePolicy = 'Fail'): ConditionsOutcome {
  const conditions = expressions.map((expression, index) => ({ name: `c${index}`, expression }));
  return new MatchConditions(conditions, failurePolicy).evaluate(bindings, new CostAllowance({}));
}

const rows: readonly (readonly [expression: string, isMatch: boolean])[] = [
  ['object.spec.priority == 3', true],
  ['object.metadata.labels.app == "y"', false],
  ['oldObject == null', true],
  ['namespaceObject == null', true],
  ['request.userInfo.username == "ann" && "dev" in request.userInfo.groups', true],
  ['request.userInfo.extra["example.com/x"][0] == "1"', true],
  ['request.resource.resource == "pods" && request.kind.kind == "Pod" && request.operation == "CREATE"', true],
  ['request.options.fieldManager == "m" && request.options.kind == "CreateOptions"', true],
  ['has(request.subResource)', false],
  ['request.dryRun', false],
  ['authorizer.group("").resource("pods").check("get").allowed()', true],
  ['authorizer.requestResource.check("delete").allowed()', false],
  ['authorizer.serviceAccount("ns", "sa").path("/x").check("get").reason() == "system:serviceaccount:ns:sa"', true],
];

for (const [expression, isMatch] of rows) {
  test(`\`${expression}\` is ${isMatch}`, () => {
    assert.deepEqual(evaluate([expression]), isMatch ? { isMatch } : { isMatch, condition: 'c0', failed: 0 });
  });
}

test('a condition that is false excludes the request even if another fails', () => {
  assert.deepEqual(evaluate(['object.nothing == 1', 'false']), { isMatch: false, condition: 'c1', failed: 1 });
});

test('an error refuses the request or excludes it, by the failure policy', () => {
  const error = "expression 'object.nothing == 1' resulted in error: no such key: nothing";
  assert.deepEqual(evaluate(['object.nothing == 1', 'true']), { error, failed: 1 });
  assert.deepEqual(evaluate(['object.nothing == 1', 'true'], 'Ignore'), { isMatch: false, failed: 1 });
});

test('conditions that cost more than their budget fail together', () => {
  const costly = 'range.all(a, range.all(b, range.all(c, [a, b, c].size() == 3)))';
  const list = `[${Array.from({ length: 45 }, (_, i) => i).join(',')}]`;
  const outcome = evaluate(Array.from({ length: 6 }, () => costly.replaceAll('range', list)));
  assert.match((outcome as { error: string }).error, /running out of cost budget/);
});

test('a condition that is not a bool fails every request', () => {
  const { error } = evaluate(['"text"']) as { error: string };
  assert.equal(error, 'compilation error: must evaluate to bool but got string');
});
