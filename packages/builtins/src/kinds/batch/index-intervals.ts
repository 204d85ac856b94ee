/** Sets of indexes in Indexed Jobs, written as `1,3-5,7`. */
import { quote } from '@flotilla/kube';

type Interval = readonly [first: number, last: number];

/** The number of indexes in a set, or a problem. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let previous: number | undefined;
  let total = 0;
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    const [first, last] = interval;
    if (previous !== undefined && previous >= first) {
      return `non-increasing order, previous: ${previous}, current: ${first}`;
    }
    total += last - first + 1;
    previous = last;
  }
  return total;
}

/** The first index that is in both sets. Ignores parts that cannot be parsed: `countIndexes` reports them. */
export function firstCommonIndex(one: string, other: string, completions: number): number | undefined {
  const a = readableIntervals(one, completions);
  const b = readableIntervals(other, completions);
  let i = 0;
  let j = 0;
  for (;;) {
    const left = a[i];
    const right = b[j];
    if (left === undefined || right === undefined) return undefined;
    if (left[0] <= right[1] && right[0] <= left[1]) return Math.max(left[0], right[0]);
    if (left[0] <= right[0]) i++;
    else j++;
  }
}

function readableIntervals(text: string, completions: number): readonly Interval[] {
  if (text === '') return [];
  return text
    .split(',')
    .map((part) => parseInterval(part, completions))
    .filter((interval) => typeof interval !== 'string');
}

function parseInterval(text: string, completions: number): Interval | string {
  const limits = text.split('-');
  if (limits.length > 2) {
    const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
    return `the fragment ${quote(text)} ${rule}`;
  }
  const [first = '', second] = limits;
  const start = parseIndex(first, completions);
  if (typeof start === 'string') return start;
  if (second === undefined) return [start, start];
  const end = parseIndex(second, completions);
  if (typeof end === 'string') return end;
  return start >= end ? `non-increasing order, previous: ${start}, current: ${end}` : [start, end];
}

function parseIndex(text: string, completions: number): number | string {
  if (!/^[+-]?\d+$/.test(text)) return `cannot convert string to integer for index: ${quote(text)}`;
  const index = Number(text);
  return index >= completions ? `too large index: ${quote(text)}` : index;
}
