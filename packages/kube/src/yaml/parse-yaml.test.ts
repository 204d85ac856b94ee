import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { JsonFloat } from '../json/value.ts';
import { parseYaml, parseYamlWithLines, yamlText } from './parse-yaml.ts';
import { YamlError } from './yaml-error.ts';

test('resolves words as YAML 1.1', () => {
  const text = [
    'a: yes',
    'b: Off',
    'c: y',
    'd: ~',
    'e:',
    'f: 017',
    'g: 0o17',
    'h: 0x1F',
    'i: 0b11',
    'j: 1_000',
    'k: 12:30:45',
    'l: 2001-01-01',
    'm: 1e3',
    'nn: 1.5',
    'o: 08',
    'p: "yes"',
    'q: 9007199254740993',
    'r: 18446744073709551615',
    's: 1e999',
    't: .5',
    'u: +7',
    'v: -0b11',
    'w: 0x',
    'x: yEs',
  ].join('\n');
  assert.deepEqual(parseYaml(text).value, {
    a: true,
    b: false,
    c: true,
    d: null,
    e: null,
    f: 15,
    g: 15,
    h: 31,
    i: 3,
    j: 1000,
    k: '12:30:45',
    l: '2001-01-01',
    m: 1000,
    nn: 1.5,
    o: 8,
    p: 'yes',
    q: 9007199254740993n,
    r: new JsonFloat(2 ** 64, '18446744073709551615'),
    s: '1e999',
    t: 0.5,
    u: 7,
    v: -3,
    w: '0x',
    x: 'yEs',
  });
});

test('tags override the type where they fit', () => {
  const text = 'a: !!str 12\nb: !!binary aGVsbG8=\nc: !foo bar\nd: ! 12\ne: !!int "5"\nf: !!float 3\n';
  assert.deepEqual(parseYaml(text).value, { a: '12', b: 'hello', c: 'bar', d: '12', e: 5, f: 3 });
  assert.throws(() => parseYaml('a: !!int x'), { message: 'yaml: cannot decode !!str `x` as a !!int' });
});

test('turns keys into strings and sorts them', () => {
  const { value } = parseYaml('true: x\n1: u\nb: z\na: w\n1.5: v\n__proto__: {c: d}\n');
  assert.deepEqual(Object.entries(value as object), [
    ['1', 'u'],
    ['1.5', 'v'],
    ['__proto__', { c: 'd' }],
    ['a', 'w'],
    ['b', 'z'],
    ['true', 'x'],
  ]);
});

test('merge keys fill in what is not set', () => {
  assert.deepEqual(parseYaml('base: &b {x: 1, z: 2}\nown:\n  <<: *b\n  z: 3\n').value, {
    base: { x: 1, z: 2 },
    own: { x: 1, z: 3 },
  });
  assert.deepEqual(parseYaml('<<: [{a: 1}, {a: 2, b: 2}]\n"<<": c\n').value, { a: 1, b: 2, '<<': 'c' });
  assert.deepEqual(parseYaml('a: q\n<<: {a: r}\n').duplicates, ['line 2: key "a" already set in map']);
  assert.throws(() => parseYaml('<<: 5'), { message: 'yaml: map merge requires map or sequence of maps as the value' });
});

test('each alias gets its own copy', () => {
  const { value } = parseYaml('a: &x {k: [1]}\nb: *x\n');
  assert.deepEqual(value, { a: { k: [1] }, b: { k: [1] } });
  const { a, b } = value as Record<string, unknown>;
  assert.notEqual(a, b);
  assert.deepEqual(parseYaml('- &x 1\n- *x\n- &x 2\n- *x\n').value, [1, 1, 2, 2]);
});

test('reports keys that are set twice', () => {
  const { value, duplicates } = parseYaml('a: 1\nb:\n  c: q\n  c: r\na: 2\n');
  assert.deepEqual(value, { a: 2, b: { c: 'r' } });
  assert.deepEqual(duplicates, ['line 4: key "c" already set in map', 'line 5: key "a" already set in map']);
});

test('reads only the first document', () => {
  assert.deepEqual(parseYaml('# comment\n---\na: 1\n---\nb: [\n').value, { a: 1 });
  assert.deepEqual(parseYaml('a: 1\n...\n@\n').value, { a: 1 });
  assert.equal(parseYaml('').value, null);
  assert.equal(parseYaml('# nothing\n').value, null);
});

test('reads JSON', () => {
  assert.deepEqual(parseYaml('{"a": [1, "b\\n", null], "c": {"d": true}}').value, {
    a: [1, 'b\n', null],
    c: { d: true },
  });
});

test('refuses alias bombs', () => {
  const levels = Array.from(
    { length: 12 },
    (_, i) =>
      `l${i}: &l${i} [${Array(10)
        .fill(i === 0 ? 'x' : `*l${i - 1}`)
        .join()}]`,
  );
  assert.throws(() => parseYaml(levels.join('\n')), { message: 'yaml: document contains excessive aliasing' });
  const long = `a: &a ${'x'.repeat(100_000)}\nb: [${Array(2000).fill('*a').join()}]\n`;
  assert.throws(() => parseYaml(long), { message: 'yaml: document contains excessive aliasing' });
  assert.throws(() => parseYaml('a: &a\n  b: *a\n'), { message: "yaml: anchor 'a' value contains itself" });
  for (const text of ['['.repeat(100_000), '- '.repeat(20_000), '{a: '.repeat(20_000)]) {
    assert.throws(() => parseYaml(text), { message: 'yaml: exceeded max depth of 10000' });
  }
});

test('has the messages of Go’s library', () => {
  const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  const refused: Record<string, string> = {
    [`${head}data: [\n`]: 'yaml: line 4: did not find expected node content',
    [`${head}data:\n\ta: 1\n`]: 'yaml: line 5: found character that cannot start any token',
    [`${head}data:\n  a: *x\n`]: "yaml: unknown anchor 'x' referenced",
    'x: &a [1,2\n': "yaml: line 1: did not find expected ',' or ']'",
    '{': 'yaml: line 1: did not find expected node content',
    'a: b: c': 'yaml: mapping values are not allowed in this context',
    "a: 'x": 'yaml: found unexpected end of stream',
    '@foo': 'yaml: found character that cannot start any token',
    [`${head}data:\n  a: 'x\n  b: y`]: 'yaml: line 6: found unexpected end of stream',
    [`${head}data:\n  a: x\n b: y\n`]: 'yaml: line 5: did not find expected key',
    [`${head}data:\n  a: x\n   b: y\n`]: 'yaml: line 6: mapping values are not allowed in this context',
    [`${head}data: {a: x\nfoo: bar\n`]: "yaml: line 4: did not find expected ',' or '}'",
    [`${head}data: {a: x`]: "yaml: line 4: did not find expected ',' or '}'",
    [`${head}data:\n  a: "x\\q"\n`]: 'yaml: line 5: found unknown escape character',
    [`${head}data:\n  a\n  b: c\n`]: 'yaml: line 6: mapping values are not allowed in this context',
    [`${head}data:\n  a: x\n  b\n`]: "yaml: line 7: could not find expected ':'",
    [`${head}data:\n  a: |x\n`]: 'yaml: line 5: did not find expected comment or line break',
    [`${head}data:\n  a: [x]]\n`]: 'yaml: line 4: did not find expected key',
    [`${head}data:\n  a: }\n`]: 'yaml: line 4: did not find expected node content',
    [`${head}}\n`]: 'yaml: line 3: did not find expected key',
    [`${head}data:\n  a: \`x\n`]: 'yaml: line 5: found character that cannot start any token',
    '? [a]\n: b\n': 'yaml: invalid map key: ["a"]',
    'a: .inf': 'json: unsupported value: +Inf',
    '~: x': 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"',
  };
  for (const [text, message] of Object.entries(refused)) assert.throws(() => parseYaml(text), { message }, text);
});

describe('the bytes of a YAML document', () => {
  test('are UTF-8, or UTF-16 with a byte order mark', () => {
    assert.equal(yamlText(Buffer.from('a: é')), 'a: é');
    assert.equal(yamlText(Buffer.from('\ufeffa: é', 'utf16le')), 'a: é');
    assert.equal(yamlText(Buffer.from('\ufeffa: é', 'utf16le').swap16()), 'a: é');
  });

  for (const [hex, fault] of [
    ['613a20ff', 'invalid leading UTF-8 octet'],
    ['613a20e282', 'incomplete UTF-8 octet sequence'],
    ['613a20e24141', 'invalid trailing UTF-8 octet'],
    ['613a20c080', 'invalid length of a UTF-8 sequence'],
    ['613a20eda080', 'invalid Unicode character'],
    ['613a20f4908080', 'invalid Unicode character'],
    ['fffe61', 'incomplete UTF-16 character'],
  ] as const) {
    test(`${hex} is refused: ${fault}`, () => {
      assert.throws(() => yamlText(Buffer.from(hex, 'hex')), new YamlError(fault));
    });
  }
});

describe('the lines of a document', () => {
  const text = `# a fleet
base: &base
  heartbeat: 15s
members:
- name: a
  labels: {x: 1, y: 2}
- name: b
  <<: *base
  nodes:
  - count: 1
  -
    count: 2
- {}
empty:
`;
  const { lineOf } = parseYamlWithLines(text);

  for (const [path, line] of [
    [['members'], 4],
    [['members', 0], 5],
    [['members', 0, 'labels', 'y'], 6],
    [['members', 1, 'nodes'], 9],
    [['members', 1, 'nodes', 1], 12],
    [['members', 2], 13],
    [['empty'], 14],
    [[], 1],
  ] as const) {
    test(`${path.join('.')} is in line ${line}`, () => assert.equal(lineOf(path), line));
  }

  test('a value that a merge key brings is where it is written', () => {
    assert.equal(lineOf(['members', 1, 'heartbeat']), 3);
  });

  test('a merge key overrides nothing, and keys that override it are no duplicates', () => {
    const { value, duplicates, lineOf: line } = parseYamlWithLines('a: q\n<<: {a: r, b: r, c: r}\nb: q\nb: s\n');
    assert.deepEqual(value, { a: 'q', b: 's', c: 'r' });
    assert.deepEqual(duplicates, ['line 4: key "b" already set in map']);
    assert.deepEqual([line(['a']), line(['b']), line(['c'])], [1, 4, 2]);
  });

  test('a value that does not exist is where its container is', () => {
    assert.equal(lineOf(['members', 0, 'region', 'name']), 5);
    assert.equal(lineOf(['members', 7]), 4);
    assert.equal(lineOf(['__proto__', 'x']), 1);
  });

  test('a syntax error has the line that an editor shows', () => {
    const refused = (invalid: string): number | undefined => {
      try {
        parseYamlWithLines(invalid);
      } catch (error) {
        if (error instanceof YamlError) return error.line;
        throw error;
      }
      return assert.fail('accepted');
    };
    assert.equal(refused('a: 1\nb: [1, 2\nc: 3\n'), 3);
    assert.equal(refused('a: 1\n\tb: 2\n'), 2);
    assert.equal(refused('a: 1\nb: "x\n'), 3);
  });
});
