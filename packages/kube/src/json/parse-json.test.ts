import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { JsonRangeError } from './json-error.ts';
import {
  maxJsonDepth,
  parseJson,
  parsePrintedJson,
  parseSpelledJson,
  parseStoredJson,
  parseUnboundedJson,
} from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';
import { JsonFloat, type JsonValue } from './value.ts';

const nameOfPrototype = '__proto__';

test('reads plain documents', () => {
  const text = '{"a":[1,-2,0.5,true,false,null,"x",{}],"b":{"c":[]}}';
  assert.deepEqual(parseJson(text), {
    value: { a: [1, -2, 0.5, true, false, null, 'x', {}], b: { c: [] } },
    duplicates: [],
  });
});

test('keeps integers that a double cannot hold', () => {
  const numbers = '[9007199254740991,9007199254740992,9007199254740993,-9223372036854775808,9223372036854775807]';
  assert.deepEqual(parseJson(numbers).value, [
    9007199254740991,
    9007199254740992n,
    9007199254740993n,
    -9223372036854775808n,
    9223372036854775807n,
  ]);
  assert.equal(parseJson('9007199254740993').value, 9007199254740993n);
});

test('distinguishes whole floats and integers', () => {
  const value = parseJson('[1.0,1e3,-0,-0.0,100000000000000000000,9223372036854775808,1.5]').value;
  const floats = [
    new JsonFloat(1),
    new JsonFloat(1000, '1e3'),
    0,
    new JsonFloat(-0, '-0.0'),
    new JsonFloat(1e20),
    new JsonFloat(2 ** 63),
  ];
  assert.deepEqual(value, [...floats, 1.5]);
});

test('reports duplicate keys by path, and the last value wins', () => {
  const { value, duplicates } = parseJson('{"m":{"n":1,"n":2,"n":3},"l":[0,{"a":1,"a":{"b":1,"b":2}}],"m":4}');
  assert.deepEqual(value, { m: 4, l: [0, { a: { b: 2 } }] });
  assert.deepEqual(duplicates, ['m.n', 'l[1].a', 'l[1].a.b', 'm']);
});

test('reports no more than a hundred repeated keys', () => {
  const members = Array.from({ length: 300 }, (_, i) => `"k${i}":1,"k${i}":2`);
  assert.equal(parseJson(`{${members.join()}}`).duplicates.length, 100);
});

test('keeps __proto__ and constructor as ordinary keys', () => {
  const { value, duplicates } = parseJson('{"__proto__":{"a":1},"constructor":2, "toString":3}');
  assert.deepEqual(Object.keys(value as object), [nameOfPrototype, 'constructor', 'toString']);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(duplicates, []);
});

test('reads half of a surrogate pair as the replacement character', () => {
  assert.equal(parseJson('"\\ud83d"').value, '\ufffd');
  assert.equal(parseJson('"\\ud83d\\ude80"').value, '🚀');
  assert.equal(parseJson('"\ud83dx"').value, '\ufffdx');
});

test('accepts Go’s escapes and any white space', () => {
  assert.equal(parseJson('"\\u003ca\\u0026\\u2028"\n').value, '<a&\u2028');
  assert.deepEqual(parseJson(' \r\n\t{ "a" : [ 1 , 2 ] }\n\n').value, { a: [1, 2] });
});

test('has the depth limit of Go', () => {
  const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  assert.doesNotThrow(() => parseJson(nested(maxJsonDepth)));
  assert.throws(() => parseJson(nested(maxJsonDepth + 1)), { message: "invalid character '[' exceeded max depth" });
});

test('has Go’s messages', () => {
  const refused: Record<string, string> = {
    '': 'unexpected end of JSON input',
    '{': 'unexpected end of JSON input',
    '{"a"': 'unexpected end of JSON input',
    '"abc': 'unexpected end of JSON input',
    hello: "invalid character 'h' looking for beginning of value",
    '{a}': "invalid character 'a' looking for beginning of object key string",
    '{"a":1,}': "invalid character '}' looking for beginning of object key string",
    '[1,]': "invalid character ']' looking for beginning of value",
    '{"a" 1}': "invalid character '1' after object key",
    '{"kind":"ConfigMap" x}': "invalid character 'x' after object key:value pair",
    '[1 2]': "invalid character '2' after array element",
    '{} trailing': "invalid character 't' after top-level value",
    '{"a":tru}': "invalid character '}' in literal true (expecting 'e')",
    nul: "invalid character ' ' in literal null (expecting 'l')",
    '"x\ty"': "invalid character '\\t' in string literal",
    '"\\x"': "invalid character 'x' in string escape code",
    '"\\u12g4"': "invalid character 'g' in \\u hexadecimal character escape",
    '[01]': "invalid character '1' after array element",
    '-': "invalid character ' ' in numeric literal",
    '[1.]': "invalid character ']' after decimal point in numeric literal",
    '[1e]': "invalid character ']' in exponent of numeric literal",
    "[']": "invalid character '\\'' looking for beginning of value",
    é: "invalid character 'Ã' looking for beginning of value",
    '\ufeff{}': "invalid character 'ï' looking for beginning of value",
    '[1e400]': 'json: cannot unmarshal number 1e400 into Go value of type float64',
  };
  for (const [text, message] of Object.entries(refused))
    assert.throws(() => parseJson(text), { name: 'JsonError', message });
});

test('keeps the text of numbers that would be printed otherwise, if asked', () => {
  const text = '[1e3,1.0,0.10,1e-3,-0,-0.0,0.0000001,1e-400,18446744073709551616,0.1234567890123456789,{"a":1E3}]';
  assert.equal(stringifyJson(parseSpelledJson(text).value), text);
  assert.equal(stringifyJson(parseStoredJson(text)), text);
  assert.deepEqual(
    parseSpelledJson('[1,1.5,1e+21,1e-7,9007199254740993]'),
    parseJson('[1,1.5,1e+21,1e-7,9007199254740993]'),
  );
});

test('reads numbers that no double holds, if asked', () => {
  assert.throws(() => parseSpelledJson('[1e309]'), JsonRangeError);
  assert.equal(stringifyJson(parseUnboundedJson('[1e309,-1e400]').value), '[1e309,-1e400]');
});

test('the fast parser reads digests and times in strings', () => {
  const exact = (): never => assert.fail('the exact parser is slower, and its strings keep the whole text in memory');
  const texts = ['nginx@sha256:4e13', 'a:1234567890123456789f', '2026-01-01T00:00:00.000000Z', '1:1e5'];
  for (const text of texts) {
    assert.deepEqual(parsePrintedJson(stringifyJson({ text }), exact).value, { text });
  }
});

const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(inSmallestForm),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(inFloatForm),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('constructor', '1', 'a')), tie('value'), {
      noNullPrototype: true,
    }),
  ),
})).value;

test('parses printed values, and the fast parser agrees', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = stringifyJson(value);
      const read = parseJson(text);
      assert.deepEqual(parseStoredJson(text), read.value);
      assert.deepEqual(read.duplicates, []);
      assert.equal(stringifyJson(read.value), text);
    }),
  );
});

test('accepts and refuses the same texts as JSON.parse', () => {
  const fragments = fc.constantFrom(
    ...'{}[],: -.0'.split(''),
    '"a"',
    '"b"',
    '1',
    '1.0',
    '12345678901234567',
    '1e+21,',
    '1.5e3]',
    'null',
    '"\\u00"',
  );
  const texts = fc.oneof(
    fc.array(fragments).map((all) => all.join('')),
    fc.json(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      assert.deepEqual(
        outcome(() => JSON.parse(stringifyJson(parseJson(text).value))),
        outcome(() => JSON.parse(JSON.stringify(JSON.parse(text)))),
      );
    }),
    { numRuns: 1000 },
  );
});

function inSmallestForm(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function inFloatForm(value: number): number {
  return Number.isInteger(value) ? 0.5 : value;
}

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return 'refused';
  }
}

describe('a body that was printed', () => {
  const unusual = ['"\\ud800"', '{"a":"\\ud800"}', '{"a":12345678901234567890}', '{"a":1.50}', '{"a":1e3}', '7'];
  const usual = ['{"a":"\\n","b":[1,-2.5,null,true,{}]}', '{"__proto__":{"a":1},"constructor":""}', '[]'];

  test('is read by the exact parser if the fast one could read it otherwise', () => {
    for (const text of unusual) {
      let exact = 0;
      parsePrintedJson(text, (same) => {
        exact++;
        return parseUnboundedJson(same);
      });
      assert.equal(exact, 1, text);
    }
  });

  test('is read alike by both', () => {
    for (const text of [...usual, ...unusual]) {
      assert.deepEqual(parsePrintedJson(text, parseUnboundedJson), parseUnboundedJson(text), text);
    }
    for (const text of usual) assert.doesNotThrow(() => parsePrintedJson(text, assert.fail), text);
  });
});
