import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictOf, type Measurement } from './measurement.ts';
import { tableOf, withUnit } from './table.ts';

const rate: Measurement = {
  figure: 'get',
  what: '64 in flight: rate',
  value: 12_345.6,
  unit: 'per second',
  bar: { atLeast: 9000 },
  floor: 18_000,
  kubeApiserver: 2343,
};
const delay: Measurement = { figure: 'get', what: 'delay', value: 21, unit: 'ms', bar: { atMost: 20 } };

test('prints a heading for each figure, and measurements beside their bars', () => {
  assert.equal(
    tableOf([rate, delay, { figure: 'start', what: 'first', value: 1234, unit: 'ms' }]),
    [
      '                      measured        bar             floor  of floor  kube-apiserver',
      'get',
      '  64 in flight: rate  12,346/s  ≥ 9,000/s     met  18,000/s     ×0.69         2,343/s',
      '  delay                21.0 ms  ≤ 20.0 ms  missed',
      'start',
      '  first               1,234 ms',
      '',
    ].join('\n'),
  );
});

test('prints small times with decimals and large ones without', () => {
  assert.deepEqual(
    [0.0412, 9.96, 99.96, 258.4].map((value) => withUnit(value, 'ms')),
    ['0.041 ms', '10.0 ms', '100.0 ms', '258 ms'],
  );
});

test('a rate below its bar is not missed if the cores were full', () => {
  const slow = { ...rate, value: 100 };
  assert.equal(verdictOf(slow), 'missed');
  assert.equal(verdictOf({ ...slow, isCrowded: true }), 'cores full');
  assert.equal(verdictOf({ ...rate, isCrowded: true }), 'met');
  assert.equal(verdictOf({ ...delay, value: 20 }), 'met');
  assert.equal(verdictOf({ figure: 'x', what: 'no bar', value: 1, unit: 'ms' }), '');
});
