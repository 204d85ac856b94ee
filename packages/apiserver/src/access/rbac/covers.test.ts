import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyRule } from '@flotilla/builtins';
import { uncovered, uncoveredBy } from './covers.ts';
import { ruleLines } from './rule-text.ts';

const read: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'] };

describe('the uncovered part of rules', () => {
  test('is printed one resource a line, with its verbs, sorted', () => {
    const missing = uncoveredBy(
      [{ verbs: ['list'], apiGroups: ['*'], resources: ['pods'] }],
      [read, { verbs: ['get'], nonResourceURLs: ['/y', '/x'] }, { ...read, resourceNames: ['a', 'b'], verbs: ['get'] }],
    );
    assert.deepEqual(ruleLines(missing), [
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods/log"], ResourceNames:["a"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods/log"], ResourceNames:["b"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "list"]}',
      '{NonResourceURLs:["/x"], Verbs:["get"]}',
      '{NonResourceURLs:["/y"], Verbs:["get"]}',
    ]);
  });

  test('is empty if several rules cover it together', () => {
    const owned: PolicyRule[] = [
      { verbs: ['get'], apiGroups: [''], resources: ['pods', '*/log'] },
      { verbs: ['list', 'watch'], apiGroups: ['*'], resources: ['*'] },
    ];
    assert.deepEqual(uncoveredBy(owned, [read]), []);
  });

  test('is a star if only some of its values are covered', () => {
    const star = { verbs: ['*'], apiGroups: [''], resources: ['pods'] };
    assert.deepEqual(uncoveredBy([read], [star]), [star]);
    assert.deepEqual(uncoveredBy([{ ...star, resourceNames: ['a'] }], [star]), [star]);
    assert.deepEqual(uncoveredBy([star], [{ ...star, verbs: ['*'], resourceNames: ['a'] }]), []);
  });
});

test('rules with too many combinations are not expanded', () => {
  const many = Array.from({ length: 1000 }, (_, index) => `x${index}`);
  const wide: PolicyRule = { verbs: many, apiGroups: many, resources: many, resourceNames: many };
  let asked = 0;
  const isHeld = (held: boolean) => () => asked++ >= 0 && held;
  assert.deepEqual(uncovered([wide], isHeld(false)), [wide]);
  assert.deepEqual(uncovered([wide], isHeld(true)), []);
  assert.ok(asked < 10);
});
