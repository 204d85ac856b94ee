import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxCost } from '@flotilla/cel';
import { fieldErrorText } from '@flotilla/kube';
import { expressionCostProblem, cappedProduct, TotalCost } from './rule-cost.ts';

const advice =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

test('an expression may cost its limit and no more', () => {
  assert.equal(expressionCostProblem('rule', 10_000_000), undefined);
  assert.equal(
    expressionCostProblem('rule', 10_000_001),
    `estimated rule cost exceeds budget by factor of 1.000000x ${advice}`,
  );
  assert.equal(
    expressionCostProblem('messageExpression', 23_000_000),
    `estimated messageExpression cost exceeds budget by factor of 2.3x ${advice}`,
  );
  assert.equal(
    expressionCostProblem('rule', maxCost),
    `estimated rule cost exceeds budget by factor of more than 100x ${advice}`,
  );
});

test('costs are capped', () => {
  assert.equal(cappedProduct(maxCost, 2), maxCost);
  assert.equal(cappedProduct(0, maxCost), 0);
});

test('reports the four most expensive rules of a schema that costs too much', () => {
  const total = new TotalCost();
  [5, 30, 10, 0.5, 40, 20].forEach((millions, i) => total.add(`rule[${i}]`, millions * 1_000_000));
  const contributed =
    'Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  assert.deepEqual(total.errors('root').map(fieldErrorText), [
    `rule[4]: ${contributed}`,
    `rule[1]: ${contributed}`,
    `rule[5]: ${contributed}`,
    `rule[2]: ${contributed}`,
    `root: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.055000x ${advice}`,
  ]);
});

test('a schema may cost its limit', () => {
  const total = new TotalCost();
  for (let i = 0; i < 10; i++) total.add(`rule[${i}]`, 10_000_000);
  assert.deepEqual(total.errors('root'), []);
});
