/** Finds further errors in the recognized part of an invalid text, as cel-go does. */
import type { Expr } from '../../ast.ts';
import { createExprMaker, MacroFailure } from '../expr-maker.ts';
import { literalValue } from '../literal.ts';
import type { MacroTable } from '../macro-table.ts';
import { isReserved, type Token } from '../token.ts';
import { ParsingStopped } from './recovery.ts';
import { isTree, subtrees, tokensOf, type Tree } from './tree.ts';

const maxDepth = 250;

export interface VisitorParts {
  readonly textOf: (token: Token) => string;
  readonly toCodePoint: (index: number) => number;
  readonly macros: MacroTable;
  /** The offset is in code points. */
  readonly report: (offset: number, message: string) => void;
}

/** Creates only what macros need: the kind and position of expressions. */
export class Visitor {
  readonly #parts: VisitorParts;
  #lastId = 0;
  #depth = 0;

  constructor(parts: VisitorParts) {
    this.#parts = parts;
  }

  visit(outer: Tree): Expr {
    const tree = innermost(outer);
    if (!isNesting(tree)) return this.#visitRule(tree);
    if (++this.#depth > maxDepth) throw new ParsingStopped('max recursion depth exceeded');
    const expr = this.#visitRule(tree);
    this.#depth--;
    return expr;
  }

  #visitRule(tree: Tree): Expr {
    if (tree.rule === 'member') return this.#visitMember(tree);
    if (tree.rule === 'primary') return this.#visitPrimary(tree);
    if (tree.rule === 'literal') return this.#visitLiteral(tree);
    return this.#visitOperands(tree, operatorOf(tree));
  }

  /** With an operator a call, otherwise its only operand. */
  #visitOperands(tree: Tree, operator: Token | undefined): Expr {
    const operands = tree.children.filter(isTree).map((child) => this.visit(child));
    return operator === undefined ? (operands[0] ?? this.#other(tree.first)) : this.#call(operator);
  }

  #visitMember(tree: Tree): Expr {
    const [operandTree] = tree.children.filter(isTree);
    if (operandTree === undefined) return this.#other(tree.first);
    const operand = this.visit(operandTree);
    if (operandTree.rule === 'primary') return operand;
    const [dot] = tokensOf(tree, '.');
    if (tree.alternative === 1) return this.#visitSelect(tree, operand, dot);
    if (tree.alternative === 2) return this.#visitCall(tree, operand);
    for (const index of subtrees(tree, 'expr')) this.visit(index);
    return this.#call(tokensOf(tree, '[')[0] ?? tree.first);
  }

  #visitSelect(tree: Tree, operand: Expr, dot: Token | undefined): Expr {
    const [name] = subtrees(tree, 'escapeIdent');
    if (name === undefined || dot === undefined) return this.#other(tree.first);
    const field = this.#fieldName(name, name.first);
    if (tokensOf(tree, '?').length > 0) return this.#call(dot);
    return { kind: 'select', ...this.#place(dot), operand, field, test: false };
  }

  #fieldName(name: Tree, at: Token): string {
    if (name.alternative === 2) this.#report(at, "unsupported syntax: '`'");
    if (name.alternative === 0) this.#report(at, 'unsupported ident kind');
    const [token] = tokensOf(name, 'IDENTIFIER');
    return token === undefined ? '' : this.#parts.textOf(token);
  }

  /** A function call, or with `target` a member call. */
  #visitCall(tree: Tree, target: Expr | undefined): Expr {
    const [name] = tokensOf(tree, 'IDENTIFIER');
    if (name === undefined) return this.#other(tree.first);
    const text = this.#parts.textOf(name);
    if (target === undefined && isReserved(text)) return this.#reserved(tree, text);
    const open = tokensOf(tree, '(')[0] ?? name;
    const args = subtrees(tree, 'exprList').flatMap((list) => subtrees(list, 'expr').map((arg) => this.visit(arg)));
    const qualified = target === undefined && tokensOf(tree, '.').length > 0 ? `.${text}` : text;
    return this.#expand(open, qualified, target, args);
  }

  #expand(open: Token, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const macro = this.#parts.macros.find(name, args.length, target !== undefined);
    if (macro === undefined) return this.#call(open);
    const { offset } = this.#place(open);
    try {
      return (
        macro.expand(
          createExprMaker(offset, () => ++this.#lastId),
          target,
          args,
        ) ?? this.#call(open)
      );
    } catch (error) {
      if (!(error instanceof MacroFailure)) throw error;
      this.#parts.report(error.offset, error.message);
      return this.#other(open);
    }
  }

  #visitPrimary(tree: Tree): Expr {
    switch (tree.alternative) {
      case 1:
        return this.#visitIdent(tree);
      case 2:
        return this.#visitCall(tree, undefined);
      case 4:
        for (const list of subtrees(tree, 'listInit')) this.#visitOperands(list, list.first);
        return { kind: 'list', ...this.#place(tree.first), elements: [], optional: new Set() };
      case 5:
        for (const list of subtrees(tree, 'mapInitializerList')) this.#visitMapEntries(list);
        return this.#other(tree.first);
      case 6:
        for (const list of subtrees(tree, 'fieldInitializerList')) this.#visitFields(list);
        return this.#other(tokensOf(tree, '{')[0] ?? tree.first);
      default:
        return this.#visitOperands(tree, undefined);
    }
  }

  #visitIdent(tree: Tree): Expr {
    const [token] = tokensOf(tree, 'IDENTIFIER');
    if (token === undefined) return this.#other(tree.first);
    const name = this.#parts.textOf(token);
    return isReserved(name) ? this.#reserved(tree, name) : { kind: 'ident', ...this.#place(token), name };
  }

  /** Stops at the first incomplete entry. */
  #visitMapEntries(list: Tree): void {
    const keys = subtrees(list, 'optExpr');
    const values = subtrees(list, 'expr');
    for (const index of tokensOf(list, ':').keys()) {
      const key = keys[index];
      const value = values[index];
      if (key === undefined || value === undefined) return;
      this.visit(key);
      this.visit(value);
    }
  }

  #visitFields(list: Tree): void {
    const colons = tokensOf(list, ':');
    const values = subtrees(list, 'expr');
    for (const [index, field] of subtrees(list, 'optField').entries()) {
      const value = values[index];
      if (value === undefined || colons[index] === undefined) return;
      const [name] = subtrees(field, 'escapeIdent');
      if (name?.alternative === 1) this.visit(value);
      else if (name !== undefined) this.#fieldName(name, list.first);
    }
  }

  #visitLiteral(tree: Tree): Expr {
    const token = tree.children.findLast((child): child is Token => !isTree(child));
    const isNegative = tree.first.kind === '-';
    const value = token && literalValue(token.kind, this.#parts.textOf(token), isNegative);
    if (typeof value === 'string') this.#report(tree.first, value);
    return this.#other(tree.first);
  }

  #reserved(tree: Tree, name: string): Expr {
    this.#report(tree.first, `reserved identifier: ${name}`);
    return this.#other(tree.first);
  }

  #call(at: Token): Expr {
    return { kind: 'call', ...this.#place(at), function: '', target: undefined, args: [] };
  }

  #other(at: Token): Expr {
    return { kind: 'literal', ...this.#place(at), value: { type: 'null' } };
  }

  #place(token: Token): { id: number; offset: number } {
    return { id: ++this.#lastId, offset: this.#parts.toCodePoint(token.start) };
  }

  #report(token: Token, message: string): void {
    this.#parts.report(this.#place(token).offset, message);
  }
}

/** Skips rules that only wrap another one, to save stack. */
function innermost(outer: Tree): Tree {
  let tree = outer;
  for (;;) {
    const isParenthesis = tree.rule === 'primary' && (tree.alternative === 3 || tree.alternative === 7);
    const isPlain = tree.rule !== 'primary' && tree.rule !== 'literal' && operatorOf(tree) === undefined;
    const inner = tree.children.filter(isTree);
    if ((!isParenthesis && !isPlain) || inner.length !== 1) return tree;
    tree = inner[0] as Tree;
  }
}

/** Conditions, comparisons, arithmetic and selections count as a level. */
function isNesting(tree: Tree): boolean {
  if (tree.rule === 'expr') return tree.children.length > 1;
  if (tree.rule !== 'relation' && tree.rule !== 'calc' && tree.rule !== 'member') return false;
  const [first] = tree.children;
  return first !== undefined && isTree(first) && first.rule === tree.rule;
}

/** The token that makes a rule a call. The end of the text and the mark of an optional element do not. */
function operatorOf(tree: Tree): Token | undefined {
  if (tree.rule === 'start' || tree.rule === 'optExpr') return undefined;
  return tree.children.find((child): child is Token => !isTree(child));
}
