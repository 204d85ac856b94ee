import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuantity } from '@flotilla/kube';
import { amountIn } from './amount.ts';

/** In ascending order; those in one row are equal. Doubles cannot tell some neighbours apart. */
const rows: readonly (readonly string[])[] = [
  ['-1e30'],
  ['-9007199254740993'],
  ['-9007199254740992'],
  ['-1'],
  ['0', '0.0', '0Ki'],
  ['1n', '0.000000001'],
  ['999999999n'],
  ['1', '1000m', '1.0', '1e0'],
  ['1.000000001'],
  ['1500m', '1.5'],
  ['1Ki', '1024'],
  ['9007199254740992'],
  ['9007199254740993'],
  ['9007199254740993.5'],
  ['9223372036854775807'],
  ['1e30'],
  ['1e400'],
  ['1e401'],
];

test('amounts compare as exactly as quantities', () => {
  const all = rows.flatMap((spellings, row) => spellings.map((text) => ({ text, row, amount: amountIn(text) })));
  for (const left of all) {
    for (const right of all) {
      const sign = Math.sign(left.row - right.row);
      assert.ok(left.amount !== undefined && right.amount !== undefined);
      assert.equal(Math.sign(left.amount.compare(right.amount)), sign, `${left.text} and ${right.text}`);
      assert.equal(Math.sign(parseQuantity(left.text).compare(parseQuantity(right.text))), sign);
    }
  }
});

test('what is no quantity is no amount', () => {
  for (const text of ['', 'four', '1.2.3', '1 ', 'v1.36']) assert.equal(amountIn(text), undefined);
});
