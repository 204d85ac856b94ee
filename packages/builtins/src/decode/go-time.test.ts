import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalMicroTime, canonicalTime } from './go-time.ts';

test('a time is written in UTC and whole seconds', () => {
  assert.equal(canonicalTime('2026-02-20T01:00:00Z'), '2026-02-20T01:00:00Z');
  assert.equal(canonicalTime('2026-02-20T01:00:00.999+01:30'), '2026-02-19T23:30:00Z');
  assert.equal(canonicalTime('2026-02-20T1:00:00,5Z'), '2026-02-20T01:00:00Z');
  assert.equal(canonicalTime('0050-02-20T01:00:00Z'), '0050-02-20T01:00:00Z');
});

test('the zero time is null', () => {
  assert.equal(canonicalTime('0001-01-01T00:00:00Z'), null);
});

test('a micro time has exactly six digits', () => {
  assert.equal(canonicalMicroTime('2026-02-20T01:00:00.123456+01:00'), '2026-02-20T00:00:00.123456Z');
  assert.throws(() => canonicalMicroTime('2026-02-20T01:00:00.1Z'), {
    message:
      'parsing time "2026-02-20T01:00:00.1Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".1Z" as ".000000"',
  });
});

test('what is no time is refused in the words of Go', () => {
  const layout = '"2006-01-02T15:04:05Z07:00"';
  const sentences: [text: string, sentence: string][] = [
    ['2026-13-01T00:00:00Z', 'parsing time "2026-13-01T00:00:00Z": month out of range'],
    ['2026-02-30T00:00:00Z', 'parsing time "2026-02-30T00:00:00Z": day out of range'],
    ['2026-02-20T24:00:00Z', 'parsing time "2026-02-20T24:00:00Z": hour out of range'],
    ['2026-02-20T23:00:01Zx', 'parsing time "2026-02-20T23:00:01Zx": extra text: "x"'],
    ['2026-02-20T01:00:00+25:00', 'parsing time "2026-02-20T01:00:00+25:00": time zone offset hour out of range'],
    ['2026-02-20T23:00:01', `parsing time "2026-02-20T23:00:01" as ${layout}: cannot parse "" as "Z07:00"`],
    ['2026-2-20', `parsing time "2026-2-20" as ${layout}: cannot parse "2-20" as "01"`],
    ['2026-02-20 10:00:00Z', `parsing time "2026-02-20 10:00:00Z" as ${layout}: cannot parse " 10:00:00Z" as "T"`],
    ['', `parsing time "" as ${layout}: cannot parse "" as "2006"`],
  ];
  for (const [text, message] of sentences) assert.throws(() => canonicalTime(text), { message });
});
