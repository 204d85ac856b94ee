import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { differenceOf } from './compare.ts';

describe('a difference', () => {
  test('is undefined between equal texts', () => {
    assert.equal(differenceOf('a\nb', 'a\nb'), undefined);
  });

  test('shows the lines that differ with two around them', () => {
    assert.equal(differenceOf('a\nb\nc\nd\ne', 'a\nb\nc\nX\ne'), '  ...\n  b\n  c\n- d\n+ X\n  e');
  });
});

test('the order in which pods are evicted makes no difference', () => {
  assert.equal(
    differenceOf('| evicting pod a\n| evicting pod b\n| done', '| evicting pod b\n| evicting pod a\n| done'),
    undefined,
  );
  assert.match(differenceOf('| evicting pod a\n| done', '| evicting pod b\n| done') ?? '', /^- \| evicting pod a$/m);
});

test('the order of the managers of an object makes no difference', () => {
  const objectOf = (...managers: string[]): string =>
    `| {"metadata":{"managedFields":[${managers.map((manager) => `{"manager":"${manager}"}`).join()}]}}`;
  assert.equal(differenceOf(objectOf('a', 'b'), objectOf('b', 'a')), undefined);
  assert.match(differenceOf(objectOf('a', 'b'), objectOf('b', 'c')) ?? '', /^- /m);
});
