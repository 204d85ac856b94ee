import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** Finds regex literals: the text before one, the literal with classes and escapes, and its flags. */
const literal =
  /(?<=[=(,:?!&|[{]\s*|return\s+|\n\s*)\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])*)\/([dgimsuvy]*)/g;

/** Repeated, these make a backtracking pattern slow. */
const units = [
  'a',
  'A',
  '0',
  '1',
  '-',
  '.',
  '_',
  '/',
  ' ',
  ':',
  '\\',
  '"',
  '%',
  '=',
  ',',
  '\n',
  'a-',
  'a.',
  '-a',
  '0.',
  '1_',
  'a/',
  'a ',
  '__',
];
const length = 20_000;

/** A linear pattern takes a fraction of a millisecond, a quadratic one a second. */
const slowestMs = 200;

interface Found {
  readonly file: string;
  readonly pattern: RegExp;
}

function regexes(): Found[] {
  const files = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !/\.(test|conformance)\.ts$|generated/.test(file),
  );
  return files.flatMap((file) =>
    [...readFileSync(resolve(root, file), 'utf8').matchAll(literal)].flatMap(([, source = '', flags = '']) => {
      try {
        return [{ file, pattern: new RegExp(source, flags.replace('g', '')) }];
      } catch {
        return []; // A comment or a division that looks like a regex.
      }
    }),
  );
}

function slowness(pattern: RegExp, text: string): number {
  let fastest = Infinity;
  for (let attempt = 0; attempt < 3 && fastest > slowestMs; attempt++) {
    const start = performance.now();
    pattern.lastIndex = 0;
    pattern.test(text);
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}

describe('regexes', () => {
  const found = regexes();

  test('are found in the sources', () => {
    assert.ok(found.length > 50, `${found.length} found`);
  });

  test('take linear time', () => {
    const slow: string[] = [];
    for (const { file, pattern } of found) {
      const isSlow = units.some((unit) => slowness(pattern, `a${unit.repeat(length / unit.length)}\0`) > slowestMs);
      if (isSlow) slow.push(`${file}: ${pattern.source}`);
    }
    assert.deepEqual(slow, []);
  });
});
