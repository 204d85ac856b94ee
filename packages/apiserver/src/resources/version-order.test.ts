import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions } from './version-order.ts';

test('stable versions are newer than beta, beta than alpha, and any of them than other names', () => {
  const newestFirst = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
  assert.deepEqual(
    [...newestFirst].sort().sort((a, b) => compareVersions(b, a)),
    newestFirst,
  );
});
