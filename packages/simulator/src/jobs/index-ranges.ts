/** Sets of completion indexes as sorted ranges that do not touch, and as text: `0,3-5`. */

export interface IndexRange {
  readonly first: number;
  readonly last: number;
}

export type IndexRanges = readonly IndexRange[];

/** Ignores what is not a number, and indexes that do not exist because there are fewer completions. */
export function parseIndexes(text: string, completions: number): IndexRanges {
  const ranges = text.split(',').flatMap((part): IndexRange[] => {
    const match = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part);
    if (match === null) return [];
    const first = Number(match[1]);
    const last = Math.min(Number(match[2] ?? match[1]), completions - 1);
    return first <= last ? [{ first, last }] : [];
  });
  return united(ranges);
}

/** Two neighbours are listed, three are a range. */
export function printIndexes(ranges: IndexRanges): string {
  return ranges
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
    .join(',');
}

export function unionOf(...sets: readonly IndexRanges[]): IndexRanges {
  return united(sets.flat());
}

export function rangesOf(indexes: Iterable<number>): IndexRanges {
  return united(Array.from(indexes, (index) => ({ first: index, last: index })));
}

function united(ranges: IndexRange[]): IndexRanges {
  const result: IndexRange[] = [];
  for (const range of ranges.sort((a, b) => a.first - b.first)) {
    const previous = result.at(-1);
    if (previous === undefined || range.first > previous.last + 1) result.push(range);
    else result[result.length - 1] = { first: previous.first, last: Math.max(previous.last, range.last) };
  }
  return result;
}

export function countIndexes(ranges: IndexRanges): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

export function hasIndex(ranges: IndexRanges, index: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.last ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range.first <= index;
}

/** How many indexes are in both sets. */
export function countCommon(a: IndexRanges, b: IndexRanges): number {
  let common = 0;
  for (let i = 0, j = 0; ;) {
    const left = a[i];
    const right = b[j];
    if (left === undefined || right === undefined) return common;
    common += Math.max(0, Math.min(left.last, right.last) - Math.max(left.first, right.first) + 1);
    if (left.last < right.last) i++;
    else j++;
  }
}

/** The lowest indexes below `completions` that are not in the set, at most `count`. */
export function firstMissing(ranges: IndexRanges, count: number, completions: number): number[] {
  const missing: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...ranges, { first: completions, last: completions }]) {
    for (; candidate < Math.min(first, completions) && missing.length < count; candidate++) missing.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return missing;
}
