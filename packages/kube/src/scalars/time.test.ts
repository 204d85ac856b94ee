import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalMicroTime, canonicalTime, formatMicroTime, formatTime, parseMicroTime, parseTime } from './time.ts';

test('prints times in UTC with seconds', () => {
  const printed: Record<string, string | null> = {
    '2026-01-02T03:04:05Z': '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.987654321Z': '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05,5+02:00': '2026-01-02T01:04:05Z',
    '2026-01-02T3:04:05-01:30': '2026-01-02T04:34:05Z',
    '0001-01-01T00:00:00Z': null,
    '0099-02-28T00:00:00Z': '0099-02-28T00:00:00Z',
    '2024-02-29T23:59:59Z': '2024-02-29T23:59:59Z',
    '9999-12-31T23:59:59-01:00': '10000-01-01T00:59:59Z',
    '0000-01-01T00:00:00+01:00': '-0001-12-31T23:00:00Z',
  };
  for (const [text, expected] of Object.entries(printed)) assert.equal(canonicalTime(text), expected, text);
  assert.equal(formatTime(new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 600))), '2026-01-02T03:04:05Z');
});

test('prints micro times with six digits', () => {
  assert.equal(canonicalMicroTime('2026-01-02T03:04:05.123456+02:00'), '2026-01-02T01:04:05.123456Z');
  assert.equal(canonicalMicroTime('2026-01-02T03:04:05.123456Z'), '2026-01-02T03:04:05.123456Z');
  assert.equal(canonicalMicroTime('0001-01-01T00:00:00.000000Z'), null);
  assert.equal(formatMicroTime(new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6))), '2026-01-02T03:04:05.006000Z');
});

test('keeps fractions of a second', () => {
  assert.deepEqual(parseTime('1970-01-01T00:00:01.5Z'), { epochSeconds: 1, nanoseconds: 500_000_000 });
  assert.deepEqual(parseTime('2026-01-31T03:04:05Z'), {
    epochSeconds: Date.UTC(2026, 0, 31, 3, 4, 5) / 1000,
    nanoseconds: 0,
  });
});

test('parses micro times in every form', () => {
  const expected = { epochSeconds: Date.UTC(2026, 0, 2, 3, 4, 5) / 1000, nanoseconds: 123_456_000 };
  assert.deepEqual(parseMicroTime('2026-01-02T03:04:05.123456Z'), expected);
  assert.deepEqual(parseMicroTime('2026-01-02T03:04:05,123456+00:00'), expected);
});

test('refuses other texts with Go’s message', () => {
  const layout = '"2006-01-02T15:04:05Z07:00"';
  const refused: Record<string, string> = {
    '': `parsing time "" as ${layout}: cannot parse "" as "2006"`,
    foo: `parsing time "foo" as ${layout}: cannot parse "foo" as "2006"`,
    '2026-1-02T03:04:05Z': `parsing time "2026-1-02T03:04:05Z" as ${layout}: cannot parse "1-02T03:04:05Z" as "01"`,
    '02026-01-02T03:04:05Z': `parsing time "02026-01-02T03:04:05Z" as ${layout}: cannot parse "6-01-02T03:04:05Z" as "-"`,
    '2026-01-02 03:04:05Z': `parsing time "2026-01-02 03:04:05Z" as ${layout}: cannot parse " 03:04:05Z" as "T"`,
    '2026-01-02T3:4:5Z': `parsing time "2026-01-02T3:4:5Z" as ${layout}: cannot parse "4:5Z" as "04"`,
    '2026-01-02T03:04:05': `parsing time "2026-01-02T03:04:05" as ${layout}: cannot parse "" as "Z07:00"`,
    '2026-13-02T03:04:05Z': 'parsing time "2026-13-02T03:04:05Z": month out of range',
    '2025-02-29T03:04:05Z': 'parsing time "2025-02-29T03:04:05Z": day out of range',
    '2026-02-30T03:04:05Z': 'parsing time "2026-02-30T03:04:05Z": day out of range',
    '2026-01-02T24:04:05Z': 'parsing time "2026-01-02T24:04:05Z": hour out of range',
    '2026-01-02T03:04:60Z': 'parsing time "2026-01-02T03:04:60Z": second out of range',
    '2026-01-02T03:04:05+25:00': 'parsing time "2026-01-02T03:04:05+25:00": time zone offset hour out of range',
    '2026-01-02T03:04:05Zx': 'parsing time "2026-01-02T03:04:05Zx": extra text: "x"',
  };
  for (const [text, message] of Object.entries(refused)) {
    assert.throws(() => canonicalTime(text), { name: 'TimeError', message });
  }
});

test('micro times require six decimals', () => {
  const layout = '"2006-01-02T15:04:05.000000Z07:00"';
  const refused: Record<string, string> = {
    '2026-01-02T03:04:05Z': `parsing time "2026-01-02T03:04:05Z" as ${layout}: cannot parse "Z" as ".000000"`,
    '2026-01-02T03:04:05.12345xZ': `parsing time "2026-01-02T03:04:05.12345xZ" as ${layout}: cannot parse ".12345xZ" as ".000000"`,
    '2026-01-02T03:04:05.1Z': `parsing time "2026-01-02T03:04:05.1Z" as ${layout}: cannot parse ".1Z" as ".000000"`,
    '2026-01-02T03:04:05.123456789Z': `parsing time "2026-01-02T03:04:05.123456789Z" as ${layout}: cannot parse "789Z" as "Z07:00"`,
  };
  for (const [text, message] of Object.entries(refused)) assert.throws(() => canonicalMicroTime(text), { message });
});
