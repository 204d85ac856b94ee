/** cel-go's parser table, as published with the conformance data. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tests } from '@bufbuild/cel-spec/testdata/parsing.js';
import type { Expr, MapEntry, StructField } from '../ast.ts';
import { createMacroTable } from '../parse/macro-table.ts';
import { optionalMacros } from '../parse/macros/binding-macros.ts';
import { standardMacros } from '../parse/macros/standard-macros.ts';
import { parse } from '../parse/parser.ts';
import { createSource, renderIssues } from '../parse/source.ts';
import { debugString } from './debug-string.testing.ts';

interface Case {
  readonly original: { readonly expr: string };
  readonly ast?: string;
  readonly error?: string;
}

const cases: readonly Case[] = tests.tests ?? [];

function leftOut({ original: { expr }, error = '' }: Case): string | undefined {
  if (/(limit exceeded: (4|32)|max recursion depth)/.test(error)) return 'was run with limits smaller than ours';
  if (expr.includes('noop_macro') || expr.includes('varargs')) return 'needs a macro of its own';
  return undefined;
}

const macros = createMacroTable([...standardMacros, ...optionalMacros]);

describe('the parser agrees with the published table', () => {
  for (const [index, item] of cases.entries()) {
    const reason = leftOut(item);
    test(`${index}: ${item.original.expr.slice(0, 60)}`, { skip: reason ?? false }, () => {
      const { expr: text } = item.original;
      const optionalSyntax = !item.error?.includes("unsupported syntax '");
      const result = parse(text, { macros, optionalSyntax });
      if (item.ast === undefined) {
        assert.ok('issues' in result, 'it should not parse');
        assert.equal(renderIssues(createSource(text), result.issues).replaceAll('<input>', ''), item.error);
      } else {
        assert.ok('ast' in result, 'it should parse');
        assert.equal(debugString(result.ast.expr, kindOf), item.ast);
      }
    });
  }
});

const literalKinds = {
  null: 'Constant_NullValue',
  bool: 'Constant_BoolValue',
  int: 'Constant_Int64Value',
  uint: 'Constant_Uint64Value',
  double: 'Constant_DoubleValue',
  string: 'Constant_StringValue',
  bytes: 'Constant_BytesValue',
} as const;

const exprKinds = {
  ident: 'Expr_IdentExpr',
  select: 'Expr_SelectExpr',
  call: 'Expr_CallExpr',
  list: 'Expr_ListExpr',
  map: 'Expr_StructExpr',
  struct: 'Expr_StructExpr',
  comprehension: 'Expr_ComprehensionExpr',
} as const;

function kindOf(node: Expr | MapEntry | StructField): string {
  if (!('kind' in node)) return '^#*expr.Expr_CreateStruct_Entry#';
  return `^#*expr.${node.kind === 'literal' ? literalKinds[node.value.type] : exprKinds[node.kind]}#`;
}
