import assert from 'node:assert/strict';
import { test } from 'node:test';
import { humanDuration } from './human-duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

test('ages have fewer units the longer ago', () => {
  const ages: readonly [number, string][] = [
    [-2 * SECOND, '<invalid>'],
    [-1 * SECOND, '0s'],
    [-1.9 * SECOND, '0s'],
    [0, '0s'],
    [119.9 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [9 * MINUTE + 5 * SECOND, '9m5s'],
    [10 * MINUTE + 5 * SECOND, '10m'],
    [179 * MINUTE, '179m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m'],
    [47 * HOUR, '47h'],
    [2 * DAY, '2d'],
    [7 * DAY + 23 * HOUR, '7d23h'],
    [8 * DAY + 23 * HOUR, '8d'],
    [2 * YEAR - HOUR, '729d'],
    [2 * YEAR, '2y'],
    [7 * YEAR + 3 * DAY, '7y3d'],
    [8 * YEAR + 3 * DAY, '8y'],
  ];
  for (const [ms, expected] of ages) assert.equal(humanDuration(ms), expected);
});
