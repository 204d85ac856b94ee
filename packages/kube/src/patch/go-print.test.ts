import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { JsonFloat } from '../json/value.ts';
import { goPrint } from './go-print.ts';

describe('goPrint', () => {
  test('prints containers as Go does, with sorted keys', () => {
    assert.equal(goPrint({ b: [1, 'x', null], a: { c: true } }), 'map[a:map[c:true] b:[1 x <nil>]]');
    assert.equal(goPrint({ a: {}, b: [], c: '' }), 'map[a:map[] b:[] c:]');
  });

  test('prints integers in full and floats with exponents from a million on', () => {
    assert.equal(goPrint([1_000_000, 2n ** 60n]), '[1000000 1152921504606846976]');
    assert.equal(goPrint([1_234_567.5, 123_456.5, 0.00001, 0.0001]), '[1.2345675e+06 123456.5 1e-05 0.0001]');
    assert.equal(goPrint(new JsonFloat(1e6)), '1e+06');
    assert.equal(goPrint(new JsonFloat(3)), '3');
  });

  test('prints integers as doubles on request', () => {
    assert.equal(goPrint([999_999, 1_000_000, 2n ** 60n], { doubles: true }), '[999999 1e+06 1.152921504606847e+18]');
  });
});
