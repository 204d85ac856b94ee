import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CelError, CelTimestamp, CelUint } from '../value.ts';
import { fixedDecimal, parseDouble, plainDecimal, scientificDecimal } from './double-text.ts';
import { equals } from './equality.ts';
import { ArrayList, concatenate } from './list.ts';
import { EntryMap } from './map.ts';
import { compare } from './ordering.ts';
import { codePoints } from './size.ts';
import { durationText, parseDuration, parseTimestamp, timestampText } from './time-text.ts';
import { timeZone } from './time-zone.ts';

test('numbers are equal by their value, whatever their type; NaN equals nothing', () => {
  assert.equal(equals(1n, 1), true);
  assert.equal(equals(new CelUint(1n), 1n), true);
  assert.equal(equals(1.5, 1n), false);
  assert.equal(equals(NaN, NaN), false);
  assert.equal(equals(new ArrayList([NaN]), new ArrayList([NaN])), false);
  assert.equal(equals('1', 1n), false);
});

test('lists are equal by position, maps by key', () => {
  const joined = concatenate(new ArrayList([1n]), new ArrayList([2n]));
  assert.ok(!(joined instanceof CelError));
  assert.equal(equals(joined, new ArrayList([1, new CelUint(2n)])), true);
  const left = new EntryMap();
  left.set('a', 1n);
  left.set(2n, null);
  const right = new EntryMap();
  right.set(new CelUint(2n), null);
  right.set('a', 1);
  assert.equal(equals(left, right), true);
  right.set('a', 2n);
  assert.equal(equals(left, right), false);
});

test('strings are ordered and counted by code points', () => {
  assert.equal(compare('\u{1f600}', '\uff5e'), 1);
  assert.equal(compare('a', 'ab'), -1);
  assert.equal(codePoints('a\u{1f600}b'), 3);
  assert.equal(codePoints('\ud83d'), 1);
});

test('ordering values of different types is an error', () => {
  assert.ok(compare(NaN, 1) instanceof CelError);
  assert.ok(compare(1n, 'a') instanceof CelError);
});

test('prints doubles without exponents, rounded half to even', () => {
  assert.equal(plainDecimal(1e-9), '0.000000001');
  assert.equal(plainDecimal(-1.5e21), '-1500000000000000000000');
  assert.equal(fixedDecimal(2.5, 0), '2');
  assert.equal(fixedDecimal(3.5, 0), '4');
  assert.equal(fixedDecimal(-0.125, 2), '-0.12');
  assert.equal(fixedDecimal(5e-324, 3), '0.000');
  assert.deepEqual(scientificDecimal(9.9999999e10, 6), { mantissa: '1.000000', exponent: 11 });
});

test('parses doubles as Go does', () => {
  assert.equal(parseDouble('1_000.5e1'), 10005);
  assert.equal(parseDouble('0x1.8p1'), 3);
  assert.equal(parseDouble('-inf'), -Infinity);
  for (const text of ['', '_1', '1__0', '1e', '1e400', '0x10', ' 1', '1_']) assert.equal(parseDouble(text), undefined);
});

test('a time keeps its time zone', () => {
  const time = parseTimestamp('2023-01-01T00:30:00.5-02:30');
  assert.ok(time instanceof CelTimestamp);
  assert.equal(timestampText(time), '2023-01-01T00:30:00.5-02:30');
  assert.equal(timestampText(new CelTimestamp(time.nanos)), '2023-01-01T03:00:00.5Z');
  assert.ok(parseTimestamp('2023-02-29T00:00:00Z') instanceof CelError);
  assert.ok(parseTimestamp('0000-12-31T23:59:59Z') instanceof CelError);
});

test('prints durations as seconds', () => {
  const text = (duration: string) => durationText(parseDuration(duration) as never);
  assert.equal(text('1h30m'), '5400s');
  assert.equal(text('-1.5ms'), '-0.0015s');
});

test('time zones have summer time, and unknown names are errors', () => {
  const newYork = timeZone('America/New_York');
  assert.ok(typeof newYork === 'function');
  assert.equal(newYork(Date.UTC(2023, 0, 1)), -5 * 3_600_000);
  assert.equal(newYork(Date.UTC(2023, 6, 1)), -4 * 3_600_000);
  const fixed = timeZone('-02:30');
  assert.ok(typeof fixed === 'function');
  assert.equal(fixed(0), -2.5 * 3_600_000);
  assert.deepEqual(timeZone('Mars/Base'), new CelError('unknown time zone Mars/Base'));
  assert.deepEqual(timeZone('+0100'), new CelError('unknown time zone +0100'));
});
