import assert from 'node:assert/strict';
import { test } from 'node:test';
import { age, containerImages, containerNames, labelsText, selectorCell, selectorText } from './columns.ts';

const now = new Date('2026-03-01T12:05:10Z');

test('an age is the time since creation, and unknown without a creationTimestamp', () => {
  const metadata = { name: 'a', creationTimestamp: '2026-03-01T12:00:00Z' };
  assert.equal(age({ apiVersion: 'v1', kind: 'Pod', metadata }, now), '5m10s');
  assert.equal(
    age({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', creationTimestamp: null } }, now),
    '<unknown>',
  );
});

test('labels are sorted by key, and none are <none>', () => {
  assert.equal(labelsText({ tier: 'a', app: 'web' }), 'app=web,tier=a');
  assert.equal(labelsText({}), '<none>');
  assert.equal(labelsText(undefined), '<none>');
});

test('prints a selector in the syntax of kubectl -l', () => {
  const selector = {
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['b', 'a'] },
      { key: 'old', operator: 'DoesNotExist' },
      { key: 'zone', operator: 'NotIn', values: ['x'] },
      { key: 'new', operator: 'Exists' },
    ],
  };
  assert.equal(selectorText(selector), 'app=web,new,!old,tier in (a,b),zone notin (x)');
  assert.equal(selectorText({}), '');
  assert.equal(selectorCell(undefined), '<none>');
});

test('container cells list names and images', () => {
  const containers = [
    { name: 'a', image: 'x:1' },
    { name: 'b', image: 'y' },
  ];
  assert.equal(containerNames(containers), 'a,b');
  assert.equal(containerImages(containers), 'x:1,y');
  assert.equal(containerNames(undefined), '');
});
