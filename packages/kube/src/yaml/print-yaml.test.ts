import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseSpelledJson } from '../json/parse-json.ts';
import type { JsonValue } from '../json/value.ts';
import { compareYamlKeys } from './key-order.ts';
import { parseYaml } from './parse-yaml.ts';
import { printYaml } from './print-yaml.ts';

test('prints objects in blocks, sequences at the column of their key', () => {
  const value = {
    kind: 'Pod',
    spec: { list: [{ a: 1, b: [] }, ['x', ['y']], 'z'], empty: {}, none: null },
    apiVersion: 'v1',
  };
  assert.equal(
    printYaml(value),
    `apiVersion: v1
kind: Pod
spec:
  empty: {}
  list:
  - a: 1
    b: []
  - - x
    - - "y"
  - z
  none: null
`,
  );
});

test('quotes strings that would parse as another type', () => {
  const printed: Record<string, string> = {
    yes: '"yes"',
    n: '"n"',
    '123': '"123"',
    '1e3': '"1e3"',
    '0x1F': '"0x1F"',
    '1_000': '"1_000"',
    '2001-01-01': '"2001-01-01"',
    '1:20': '"1:20"',
    null: '"null"',
    '~': '"~"',
    '': '""',
    'a: b': "'a: b'",
    'a #b': "'a #b'",
    '- a': "'- a'",
    '-': "'-'",
    '*x': "'*x'",
    '@x': "'@x'",
    '[a]': "'[a]'",
    '---x': "'---x'",
    '...': "'...'",
    '? x': "'? x'",
    '?x': '?x',
    ' x': "' x'",
    'x ': "'x '",
    '.': '.',
    '+': '+',
    '=': '=',
    '<<': '<<',
    "it's": "it's",
    'say "hi"': 'say "hi"',
    'é☃': 'é☃',
    '🚀': '"\\U0001F680"',
    'a\tb': '"a\\tb"',
    '\0': '"\\0"',
    'a\rb': '"a\\rb"',
    'a \nb': '"a \\nb"',
    'a\nb\n': '|\n    a\n    b',
    'a\nb': '|-\n    a\n    b',
    '\n a\n\n': '|2+\n\n     a\n',
  };
  for (const [text, expected] of Object.entries(printed))
    assert.equal(printYaml({ k: { v: text } }), `k:\n  v: ${expected}\n`, text);
});

test('breaks long lines at spaces', () => {
  assert.equal(
    printYaml({ long: 'word '.repeat(40), plain: `${'word '.repeat(20)}end` }),
    `long: 'word word word word word word word word word word word word word word word
  word word word word word word word word word word word word word word word word
  word word word word word word word word word '
plain: word word word word word word word word word word word word word word word
  word word word word word end
`,
  );
});

test('prints numbers as Go does', () => {
  assert.equal(
    printYaml([1, -5, 2n ** 62n, 0.5, 1234567.5, 0.00001]),
    '- 1\n- -5\n- 4611686018427387904\n- 0.5\n- 1.2345675e+06\n- 1e-05\n',
  );
});

test('prints long keys on their own line', () => {
  const key = 'k'.repeat(130);
  assert.equal(printYaml({ a: { [key]: { b: 'c' } } }), `a:\n  ? ${key}\n  : b: c\n`);
});

test('orders keys by the numbers in them', () => {
  assert.deepEqual(['b', 'a10', 'a9', 'A', '1e3', 'a', 'a-b'].sort(compareYamlKeys), [
    '1e3',
    'A',
    'a',
    'a-b',
    'a9',
    'a10',
    'b',
  ]);
});

test('parses its own output', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc
      .array(fc.constantFrom('a', ' ', '\n', ':', '#', '-', "'", '"', '1', '?', '\t', 'word'), { maxLength: 40 })
      .map((all) => all.join('')),
    fc.constantFrom(
      'yes',
      '1',
      '1.5',
      '~',
      '0x1',
      '.inf',
      '2001-01-01 00:00:00',
      '12:30',
      '<<',
      '1e9',
      '08',
      '-',
      '0o7',
    ),
  );
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.constantFrom(null, true, false, 0.5, 1e-7),
      fc.array(tie('value')),
      fc.dictionary(text, tie('value'), { noNullPrototype: true }),
    ),
  })).value;
  fc.assert(
    fc.property(value, (original) => {
      assert.deepEqual(parseYaml(printYaml({ original })).value, { original });
    }),
    { numRuns: 200 },
  );
});

test('prints deep values as JSON', () => {
  let deep: JsonValue = 'x';
  for (let i = 0; i < 9000; i++) deep = [deep];
  assert.ok(printYaml(deep).length < 100_000);
});

test('numbers with a text of their own are what YAML reads in it', () => {
  const { value } = parseSpelledJson('[1e3,1.0,0.10,-0,-0.0,1e18,1e19,9223372036854775808,18446744073709551616,1e-7]');
  assert.equal(
    printYaml(value),
    '- 1000\n- 1\n- 0.1\n- 0\n- -0\n- 1e+18\n- 1e+19\n- 9223372036854775808\n- 1.8446744073709552e+19\n- 1e-07\n',
  );
});
