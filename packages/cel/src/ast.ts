import type { CelType } from './type.ts';

/**
 * An expression with macros expanded. Nodes have ids in parse order, and an offset into the source in code points,
 * as error messages need it.
 */
export type Expr = Literal | Ident | Select | Call | ListLiteral | MapLiteral | StructLiteral | Comprehension;

interface Node {
  readonly id: number;
  readonly offset: number;
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

/** `type` distinguishes int and uint, which are both bigints. */
export type LiteralValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int' | 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

/** `a`, or `.a` for the outermost scope. */
export interface Ident extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

/** `operand.field`. With `test` it is an expanded `has(operand.field)`. `a?.b` is a call of `_?._`. */
export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  readonly test: boolean;
}

/** Operators are calls too: `_+_`, `_?_:_`, `_[_]`, `!_`, `@in`. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly function: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Indices of `?x` elements, which are omitted if they are `optional.none()`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapLiteral extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface MapEntry extends Node {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructLiteral extends Node {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

export interface StructField extends Node {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** An expanded loop (`all`, `map`, …): a fold of `step` over `range`. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly iterVar: string;
  /** For two-variable loops; `iterVar` is then the index or key. */
  readonly iterVar2: string | undefined;
  readonly range: Expr;
  readonly accuVar: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** The source text for error messages. */
export interface Source {
  readonly text: string;
  /** The start of each line after the first, in code points. */
  readonly lineOffsets: readonly number[];
}

/** The result of the parser. */
export interface ParsedAst {
  readonly expr: Expr;
  readonly source: Source;
  /** The original call, by the id of the node that a macro produced. */
  readonly macroCalls: ReadonlyMap<number, Call>;
}

/** The result of the checker: the type of each node, and what names and calls refer to. */
export interface CheckedAst extends ParsedAst {
  readonly types: ReadonlyMap<number, CelType>;
  readonly references: ReadonlyMap<number, Reference>;
  readonly resultType: CelType;
}

export interface Reference {
  /** For a variable or type: its full name. */
  readonly name?: string;
  /** For a call: the ids of the overloads that its arguments may match. */
  readonly overloads?: readonly string[];
}

/** The child nodes in source order. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
