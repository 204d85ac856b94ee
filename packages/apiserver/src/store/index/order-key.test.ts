import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { orderKey, orderRange } from './order-key.ts';

/** Characters on both sides of the surrogates, where UTF-16 and UTF-8 disagree about order. */
const name = fc
  .array(fc.constantFrom('a', '/', '-', 'z', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'))
  .map((all) => all.join(''));

function key(of: string): string {
  return orderKey({ collection: 'core/pods', name: of });
}

test('keys are ordered like the UTF-8 bytes of their names', () => {
  fc.assert(
    fc.property(name, name, (one, other) => {
      const order = key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0;
      assert.equal(order, Buffer.compare(Buffer.from(one), Buffer.from(other)));
    }),
  );
});

test('a range has exactly the names that start with its prefix, from its start on', () => {
  fc.assert(
    fc.property(name, name, name, (candidate, prefix, start) => {
      const { low, high } = orderRange('core/pods', prefix, start);
      const isInside = key(candidate) >= low && key(candidate) < high;
      const isFromStart = Buffer.compare(Buffer.from(candidate), Buffer.from(start)) >= 0;
      assert.equal(isInside, candidate.startsWith(prefix) && isFromStart);
    }),
  );
});
