import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatGoDuration, parseGoDuration } from './duration.ts';

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

test('says what is wrong in Go’s words', () => {
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
