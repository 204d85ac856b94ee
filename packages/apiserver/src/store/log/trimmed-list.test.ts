import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrimmedList } from './trimmed-list.ts';

test('an item keeps its index, however many before it are removed', () => {
  const list = new TrimmedList<number>();
  for (let item = 0; item < 5000; item++) {
    list.push(item);
    if (item % 4 !== 0) assert.equal(list.shift(), list.first - 1);
    assert.equal(list.at(item), item);
    assert.equal(list.at(list.first), list.first);
    assert.equal(list.at(list.first - 1), undefined);
    assert.equal(list.end, item + 1);
  }
});

test('an emptied list continues its numbering', () => {
  const list = new TrimmedList<string>();
  list.push('a');
  list.shift();
  assert.equal(list.shift(), undefined);
  list.push('b');
  assert.deepEqual([list.first, list.end, list.at(1)], [1, 2, 'b']);
});

test('the first item after a limit is found among the remaining ones', () => {
  const list = new TrimmedList<number>();
  for (let item = 0; item < 3000; item++) list.push(item * 2);
  for (let count = 0; count < 2000; count++) list.shift();
  assert.equal(
    list.findFirst((item) => item > 5001),
    2501,
  );
  assert.equal(
    list.findFirst((item) => item > 0),
    2000,
  );
  assert.equal(
    list.findFirst(() => false),
    3000,
  );
});
