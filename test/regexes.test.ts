import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** Where a literal may begin, the literal with classes and escapes, and its flags. */
const literal =
  /(?<=[=(,:?!&|[{]\s*|return\s+|\n\s*)\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])*)\/([dgimsuvy]*)/g;

/** Repeated, these drive a pattern that looks back and forth into doing so. */
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

/** A pattern of linear cost needs a fraction of a millisecond, one of quadratic cost a second. */
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
        return []; // A comment or a division that looks like a pattern.
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

describe('patterns', () => {
  const found = regexes();

  test('are found in the sources', () => {
    assert.ok(found.length > 50, `${found.length} found`);
  });

  test('take time in proportion to what they read', () => {
    const slow: string[] = [];
    for (const { file, pattern } of found) {
      const isSlow = units.some((unit) => slowness(pattern, `a${unit.repeat(length / unit.length)}\0`) > slowestMs);
      if (isSlow) slow.push(`${file}: ${pattern.source}`);
    }
    assert.deepEqual(slow, []);
  });
});
