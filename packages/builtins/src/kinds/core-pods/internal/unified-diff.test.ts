import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unifiedDiff } from './unified-diff.ts';

const numbered = (count: number, changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, i) => changed[i] ?? `line ${i}`).join('\n');

test('shows three lines around a change', () => {
  assert.equal(
    unifiedDiff(numbered(12), numbered(12, { 6: 'other' })),
    '@@ -4,7 +4,7 @@\n line 3\n line 4\n line 5\n-line 6\n+other\n line 7\n line 8\n line 9\n',
  );
});

test('joins changes that are near, and separates those that are not', () => {
  const near = unifiedDiff(numbered(30), numbered(30, { 5: 'x', 12: 'y' }));
  assert.equal(near.match(/@@ -/g)?.length, 1);
  const far = unifiedDiff(numbered(30), numbered(30, { 5: 'x', 13: 'y' }));
  assert.equal(far.match(/@@ -/g)?.length, 2);
});

test('is empty for equal texts', () => {
  assert.equal(unifiedDiff('a\nb', 'a\nb'), '');
});

test('shows additions and removals with empty ranges', () => {
  assert.equal(unifiedDiff('a', 'a\nb'), '@@ -1 +1,2 @@\n a\n+b\n');
  assert.equal(unifiedDiff('a\nb', 'a'), '@@ -1,2 +1 @@\n a\n-b\n');
});

test('limits the search in long texts and among many equal lines, but still shows the difference', () => {
  const lines = (count: number, period: number, changed: string): string =>
    Array.from({ length: count }, (_, i) => (i === 4_999 ? changed : `line ${i % period}`)).join('\n');
  for (const [count, period] of [
    [30_000, 30_000],
    [9_000, 100],
  ] as const) {
    const diff = unifiedDiff(lines(count, period, 'one'), lines(count, period, 'other'));
    assert.match(diff, /^@@ -4997,7 \+4997,7 @@\n/);
    assert.match(diff, /\n-one\n\+other\n/);
  }
});
