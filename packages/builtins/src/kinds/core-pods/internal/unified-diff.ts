/**
 * A unified diff of two texts, as errors of Kubernetes contain. Lines are matched as difflib does: the longest run of
 * equal lines first, then both sides of it. In long texts, frequent lines start no match, though they extend one.
 */

const contextLines = 3;
const longTextLines = 200;

/** Beyond these limits the search takes too long: everything between the common start and end counts as changed. */
const maxSearchedLines = 20_000;
const maxComparisons = 2_000_000;

export function unifiedDiff(before: string, after: string): string {
  const a = before.split('\n');
  const b = after.split('\n');
  const blocks = matchingBlocks(a, b) ?? commonEnds(a, b);
  return hunksOf(changesBetween(blocks, a.length, b.length))
    .map((hunk) => hunkText(hunk, a, b))
    .join('');
}

/** `size` equal lines: from line `a` of one text, from line `b` of the other. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** The remaining search budget. */
interface Effort {
  left: number;
}

interface Change {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

function commonEnds(a: readonly string[], b: readonly string[]): readonly Match[] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [
    { a: 0, b: 0, size: head },
    { a: a.length - tail, b: b.length - tail, size: tail },
  ];
}

/** Undefined if the search exceeds its budget. */
function matchingBlocks(a: readonly string[], b: readonly string[]): readonly Match[] | undefined {
  if (a.length + b.length > maxSearchedLines) return undefined;
  const indices = indicesOf(b);
  const effort: Effort = { left: maxComparisons };
  const matches: Match[] = [];
  const open: Change[] = [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const match = longestMatch(a, b, indices, range, effort);
    if (effort.left < 0) return undefined;
    if (match.size === 0) continue;
    matches.push(match);
    open.push({ ...range, aEnd: match.a, bEnd: match.b });
    open.push({ ...range, aStart: match.a + match.size, bStart: match.b + match.size });
  }
  return matches.sort((one, other) => one.a - other.a || one.b - other.b);
}

/** The indices of each line, except for lines that are too frequent. */
function indicesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const indices = new Map<string, number[]>();
  lines.forEach((line, i) => {
    const known = indices.get(line);
    if (known === undefined) indices.set(line, [i]);
    else known.push(i);
  });
  if (lines.length < longTextLines) return indices;
  const frequent = Math.floor(lines.length / 100) + 1;
  for (const [line, at] of indices) if (at.length > frequent) indices.delete(line);
  return indices;
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  indices: ReadonlyMap<string, readonly number[]>,
  range: Change,
  effort: Effort,
): Match {
  let best: Match = { a: range.aStart, b: range.bStart, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = range.aStart; i < range.aEnd && effort.left >= 0; i++) {
    effort.left--;
    const next = new Map<number, number>();
    for (const j of indices.get(a[i] ?? '') ?? []) {
      if (j < range.bStart) continue;
      if (j >= range.bEnd) break;
      effort.left--;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  return extended(best, a, b, range);
}

function extended(match: Match, a: readonly string[], b: readonly string[], range: Change): Match {
  let { a: i, b: j, size } = match;
  while (i > range.aStart && j > range.bStart && a[i - 1] === b[j - 1]) {
    i--;
    j--;
    size++;
  }
  while (i + size < range.aEnd && j + size < range.bEnd && a[i + size] === b[j + size]) size++;
  return { a: i, b: j, size };
}

function changesBetween(matches: readonly Match[], aLength: number, bLength: number): readonly Change[] {
  const changes: Change[] = [];
  let aStart = 0;
  let bStart = 0;
  for (const { a, b, size } of [...matches, { a: aLength, b: bLength, size: 0 }]) {
    if (a > aStart || b > bStart) changes.push({ aStart, aEnd: a, bStart, bEnd: b });
    aStart = a + size;
    bStart = b + size;
  }
  return changes;
}

/** Groups changes whose context lines would overlap. */
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    const isNear = last !== undefined && change.aStart - last.aEnd <= 2 * contextLines;
    if (isNear) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkText(changes: readonly Change[], a: readonly string[], b: readonly string[]): string {
  const first = changes[0] ?? { aStart: 0, bStart: 0 };
  const last = changes.at(-1) ?? { aEnd: 0, bEnd: 0 };
  const lead = Math.min(contextLines, first.aStart, first.bStart);
  const trail = Math.min(contextLines, a.length - last.aEnd, b.length - last.bEnd);
  const from = rangeText(first.aStart - lead, last.aEnd + trail);
  const to = rangeText(first.bStart - lead, last.bEnd + trail);
  const lines: string[] = [`@@ -${from} +${to} @@\n`];
  let at = first.aStart - lead;
  for (const { aStart, aEnd, bStart, bEnd } of changes) {
    push(lines, ' ', a, at, aStart);
    push(lines, '-', a, aStart, aEnd);
    push(lines, '+', b, bStart, bEnd);
    at = aEnd;
  }
  push(lines, ' ', a, at, last.aEnd + trail);
  return lines.join('');
}

function push(lines: string[], mark: string, text: readonly string[], start: number, end: number): void {
  for (const line of text.slice(start, end)) lines.push(`${mark}${line}\n`);
}

function rangeText(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return `${start + 1}`;
  return length === 0 ? `${start},0` : `${start + 1},${length}`;
}
