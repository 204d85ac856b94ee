import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { TextSets } from './text-sets.ts';

const some = fc.constantFrom('', 'a', 'b', '__proto__');
const steps = fc.array(fc.record({ verb: fc.constantFrom('add', 'delete'), key: some, text: some }), { maxLength: 40 });

test('text sets are like a Map of Sets without empty ones', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const sets = new TextSets();
      const expected = new Map<string, Set<string>>();
      for (const { verb, key, text } of sequence) {
        const set = expected.get(key) ?? new Set();
        if (verb === 'add') {
          sets.add(key, text);
          expected.set(key, set.add(text));
        } else {
          sets.delete(key, text);
          set.delete(text);
          if (set.size === 0) expected.delete(key);
        }
        assert.deepEqual(new Map(Array.from(sets.keys(), (each) => [each, new Set(sets.get(each))])), expected);
        assert.equal(sets.size, expected.size);
        assert.equal(sets.has(key), expected.has(key));
        assert.equal(sets.sizeOf(key), expected.get(key)?.size ?? 0);
      }
      assert.equal(sets.sizeOf('none'), 0);
      sets.clear();
      assert.equal(sets.size, 0);
    }),
  );
});
