import type { CelType } from './type.ts';

/**
 * An expression, macros expanded. Nodes are numbered in the order the parser made them, and remember where in the source
 * they began, counted in code points as error messages do.
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

/** The type is said because a bigint may be an int or a uint. */
export type LiteralValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int' | 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

/** `a`, or `.a`, which means the outermost one. */
export interface Ident extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

/** `operand.field`; with `test`, what `has(operand.field)` became. `a?.b` is a call of `_?._`. */
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
  /** Indices of `?x` elements, which are left out when they hold nothing. */
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

/** What the loops (`all`, `map`, …) become: a fold of `step` over `range`. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly iterVar: string;
  /** Of two-variable loops; `iterVar` is then the index or key. */
  readonly iterVar2: string | undefined;
  readonly range: Expr;
  readonly accuVar: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** The source text as messages need it. */
export interface Source {
  readonly text: string;
  /** Of each line after the first, where it begins, in code points. */
  readonly lineOffsets: readonly number[];
}

/** What the parser gives. */
export interface ParsedAst {
  readonly expr: Expr;
  readonly source: Source;
  /** By the id of the node a macro became: the call as it was written. */
  readonly macroCalls: ReadonlyMap<number, Call>;
}

/** What the checker adds: a type for each node, and what names and calls refer to. */
export interface CheckedAst extends ParsedAst {
  readonly types: ReadonlyMap<number, CelType>;
  readonly references: ReadonlyMap<number, Reference>;
  readonly resultType: CelType;
}

export interface Reference {
  /** Of a variable or a type: its full name. */
  readonly name?: string;
  /** Of a call: the ids of the overloads that its arguments may match. */
  readonly overloads?: readonly string[];
}
