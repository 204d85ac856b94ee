import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Seated } from './seated.ts';

test('holds what was added and not deleted, whatever the order of deletions', () => {
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [1, 3, 0, 2],
  ]) {
    const items = [0, 1, 2, 3].map((name) => ({ name, position: -1 }));
    const left = new Set(items);
    const seated = new Seated<(typeof items)[number]>();
    for (const item of items) seated.add(item);
    for (const name of order) {
      const item = items[name]!;
      left.delete(item);
      assert.equal(seated.delete(item), true);
      assert.equal(seated.delete(item), false);
      assert.deepEqual(new Set(seated), left);
    }
  }
});
