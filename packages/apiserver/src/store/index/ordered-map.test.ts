import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { OrderedMap } from './ordered-map.ts';

const steps = fc.array(
  fc.record({ key: fc.integer({ min: 0, max: 400 }).map(String), remove: fc.boolean(), burst: fc.boolean() }),
  { maxLength: 400 },
);

function sorted(model: ReadonlyMap<string, number>): string[] {
  return [...model.keys()].sort();
}

function build(model: ReadonlyMap<string, number>): OrderedMap<number> {
  const keys = sorted(model);
  return OrderedMap.fromSorted(
    keys,
    keys.map((key) => model.get(key)!),
  );
}

test('an ordered map equals a sorted Map after any sets and deletes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3000 }), steps, fc.string(), fc.string(), (filled, changes, low, high) => {
      const model = new Map(Array.from({ length: filled }, (_, index) => [`${index}`, index]));
      let map = build(model);
      for (const [value, { key, remove, burst }] of changes.entries()) {
        const keys = burst ? Array.from({ length: 30 }, (_, index) => `${Number(key) + index}`) : [key];
        for (const changed of keys) {
          if (remove) model.delete(changed);
          else model.set(changed, value);
          map = remove ? map.delete(changed) : map.set(changed, value);
        }
      }
      const keys = sorted(model);
      assert.equal(map.size, model.size);
      assert.deepEqual(
        [...map.range('', '\uffff')],
        keys.map((key) => model.get(key)),
      );
      assert.ok(keys.every((key) => map.get(key) === model.get(key)));
      const between = keys.filter((key) => key >= low && key < high);
      assert.deepEqual(
        [...map.range(low, high)],
        between.map((key) => model.get(key)),
      );
      if (low <= high) assert.equal(map.countRange(low, high), between.length);
    }),
    { numRuns: 100 },
  );
});

test('newer versions of an ordered map do not change an older one', () => {
  const versions = [OrderedMap.empty<number>()];
  for (let step = 0; step < 500; step++) {
    const latest = versions.at(-1)!;
    versions.push(step % 3 === 2 ? latest.delete(`${(step * 7) % 90}`) : latest.set(`${(step * 5) % 90}`, step));
  }
  const replay = new Map<string, number>();
  for (const [step, version] of versions.entries()) {
    assert.deepEqual(
      [...version.range('', ':')],
      sorted(replay).map((key) => replay.get(key)),
    );
    if (step % 3 === 2) replay.delete(`${(step * 7) % 90}`);
    else replay.set(`${(step * 5) % 90}`, step);
  }
});

test('deleting a key that is not there returns the same map', () => {
  const map = OrderedMap.fromSorted(['a', 'b'], [1, 2]);
  assert.equal(map.delete('c'), map);
  assert.deepEqual([...map.delete('a').delete('b').range('', 'z')], []);
});
