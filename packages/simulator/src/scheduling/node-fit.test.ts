import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Node, NodeSelectorRequirement, Taint, Toleration } from '../kinds.ts';
import { fitsNode } from './node-affinity.ts';
import { tolerates, untoleratedTaint } from './taints.ts';

const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', labels: { zone: 'a', cores: '8' } },
};

const requirements: readonly [NodeSelectorRequirement, boolean][] = [
  [{ key: 'zone', operator: 'In', values: ['a', 'b'] }, true],
  [{ key: 'zone', operator: 'NotIn', values: ['a'] }, false],
  [{ key: 'disk', operator: 'NotIn', values: ['a'] }, true],
  [{ key: 'zone', operator: 'Exists' }, true],
  [{ key: 'disk', operator: 'DoesNotExist' }, true],
  [{ key: 'cores', operator: 'Gt', values: ['7'] }, true],
  [{ key: 'cores', operator: 'Lt', values: ['8'] }, false],
  [{ key: 'zone', operator: 'Gt', values: ['7'] }, false],
  [{ key: 'cores', operator: 'Gt', values: ['1', '2'] }, false],
  [{ key: 'constructor', operator: 'Exists' }, false],
  [{ key: 'zone', operator: 'Like', values: ['a'] }, false],
];

describe('a node fits a pod', () => {
  for (const [requirement, isMet] of requirements) {
    test(`${isMet ? 'with' : 'unless it requires'} ${JSON.stringify(requirement)}`, () => {
      const required = { nodeSelectorTerms: [{ matchExpressions: [requirement] }] };
      const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
      assert.equal(fitsNode({ affinity }, node), isMet);
    });
  }

  test('if one of the terms matches, none of which is empty, and the node selector, too', () => {
    const fits = (...nodeSelectorTerms: object[]): boolean => {
      const required = { nodeSelectorTerms: nodeSelectorTerms as never };
      const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
      return fitsNode({ affinity, nodeSelector: { zone: 'a' } }, node);
    };
    const named = (name: string) => ({ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] });
    assert.ok(fits(named('n2'), named('n1')));
    assert.ok(!fits(named('n2'), {}));
    assert.ok(!fits());
    assert.ok(!fitsNode({ nodeSelector: { zone: 'b' } }, node));
    assert.ok(fitsNode(undefined, node));
  });
});

describe('a toleration', () => {
  const taint: Taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
  const cases: readonly [Toleration, boolean][] = [
    [{ key: 'gpu', value: 'yes' }, true],
    [{ key: 'gpu', operator: 'Equal', value: 'no' }, false],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }, true],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
    [{ operator: 'Exists' }, true],
    [{ key: 'disk', operator: 'Exists' }, false],
    [{ key: 'gpu', operator: 'Gt', value: '1' }, false],
  ];
  for (const [toleration, isEnough] of cases) {
    test(`${isEnough ? 'accepts' : 'refuses'} a taint: ${JSON.stringify(toleration)}`, () => {
      assert.equal(tolerates(toleration, taint), isEnough);
    });
  }

  test('is needed only for the effects in question', () => {
    assert.equal(untoleratedTaint([taint], [], ['NoExecute']), undefined);
    assert.equal(untoleratedTaint([taint], [], ['NoExecute', 'NoSchedule']), taint);
  });
});
