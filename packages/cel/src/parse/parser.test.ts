import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Expr } from '../ast.ts';
import { createMacroTable } from './macro-table.ts';
import { standardMacros } from './macros/standard-macros.ts';
import { parse } from './parser.ts';
import { createSource, renderIssues } from './source.ts';

const options = { macros: createMacroTable(standardMacros), optionalSyntax: true };

function parsed(text: string): Expr {
  const result = parse(text, options);
  assert.ok('ast' in result, text);
  return result.ast.expr;
}

test('counts positions in code points', () => {
  const sum = parsed("'😀é' + b");
  assert.equal(sum.offset, 5);
  assert.ok(sum.kind === 'call');
  assert.equal(sum.args[1]?.offset, 7);
});

test('parses operators by precedence', () => {
  const shape = (expr: Expr): string => {
    if (expr.kind === 'call') return `(${[expr.function, ...expr.args.map(shape)].join(' ')})`;
    if (expr.kind === 'literal' && expr.value.type === 'int') return String(expr.value.value);
    return expr.kind === 'ident' ? expr.name : expr.kind;
  };
  assert.equal(shape(parsed('1 + 2 * 3 - 4')), '(_-_ (_+_ 1 (_*_ 2 3)) 4)');
  assert.equal(shape(parsed('a < b == c')), '(_==_ (_<_ a b) c)');
  assert.equal(shape(parsed('a ? b : c ? d : e')), '(_?_:_ a b (_?_:_ c d e))');
  assert.equal(shape(parsed('a || b && c')), '(_||_ a (_&&_ b c))');
  assert.equal(shape(parsed('--1')), '1');
  assert.equal(shape(parsed('---a')), '(-_ a)');
  assert.equal(shape(parsed('!!!a')), '(!_ a)');
  assert.equal(shape(parsed('-9223372036854775808')), '-9223372036854775808');
});

test('a long chain of terms is not deep', () => {
  const depth = (expr: Expr): number => (expr.kind === 'call' ? 1 + Math.max(...expr.args.map(depth)) : 0);
  assert.equal(depth(parsed(Array.from({ length: 1024 }, () => 'a').join('||'))), 10);
});

test('evaluates literals', () => {
  const value = (text: string): unknown => {
    const expr = parsed(text);
    return expr.kind === 'literal' && expr.value.type !== 'null' ? expr.value.value : undefined;
  };
  assert.equal(value(String.raw`'\a\u00e9\U0001F600\x41\101\''`), "\u0007é😀AA'");
  assert.equal(value(String.raw`r'\a'`), String.raw`\a`);
  assert.equal(value("'''a\r\nb'''"), 'a\nb');
  assert.deepEqual(value(String.raw`b'é\xff\001'`), Uint8Array.of(0xc3, 0xa9, 0xff, 1));
  assert.equal(value('0x1F'), 31n);
  assert.equal(value('0xFFu'), 255n);
  assert.equal(value('.5e1'), 5);
});

test('any text yields an expression or error messages', () => {
  const pieces = [
    'a',
    '.',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    '?',
    ':',
    '-',
    '!',
    '+',
    '==',
    '&&',
    '||',
    'in',
    '1',
    "'s'",
    '"',
    '$',
    '`x`',
    'if',
  ];
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const result = parse(text, options);
      if ('ast' in result) return;
      assert.ok(result.issues.length > 0);
      assert.match(renderIssues(createSource(text), result.issues), /^ERROR: <input>:/);
    }),
  );
});
