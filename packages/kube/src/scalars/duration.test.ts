import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatGoDuration, humanDuration, parseGoDuration } from './duration.ts';

test('reads and prints durations as Go does', () => {
  const canonical: Record<string, string> = {
    '0': '0s',
    '90s': '1m30s',
    '1h30m': '1h30m0s',
    '-1.5h': '-1h30m0s',
    '1.5s': '1.5s',
    '.5s': '500ms',
    '1500us': '1.5ms',
    '10ns': '10ns',
    '100h': '100h0m0s',
    '9223372036854775807ns': '2562047h47m16.854775807s',
  };
  for (const [text, printed] of Object.entries(canonical))
    assert.equal(formatGoDuration(parseGoDuration(text)), printed);
});

test('has Go’s messages', () => {
  const refused: Record<string, string> = {
    '': 'time: invalid duration ""',
    '.s': 'time: invalid duration ".s"',
    '3': 'time: missing unit in duration "3"',
    '3x': 'time: unknown unit "x" in duration "3x"',
    '9223372036854775808ns': 'time: invalid duration "9223372036854775808ns"',
    constructor: 'time: invalid duration "constructor"',
  };
  for (const [text, message] of Object.entries(refused)) assert.throws(() => parseGoDuration(text), { message });
});

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

test('longer ages have fewer units', () => {
  const ages: readonly [number, string][] = [
    [-2 * second, '<invalid>'],
    [-1 * second, '0s'],
    [-1.9 * second, '0s'],
    [0, '0s'],
    [119.9 * second, '119s'],
    [2 * minute, '2m'],
    [9 * minute + 5 * second, '9m5s'],
    [10 * minute + 5 * second, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 59 * minute, '7h59m'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [7 * day + 23 * hour, '7d23h'],
    [8 * day + 23 * hour, '8d'],
    [2 * year - hour, '729d'],
    [2 * year, '2y'],
    [7 * year + 3 * day, '7y3d'],
    [8 * year + 3 * day, '8y'],
  ];
  for (const [ms, expected] of ages) assert.equal(humanDuration(ms), expected);
});
