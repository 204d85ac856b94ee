/**
 * A recursive descent parser that expands macros. It only detects whether the text follows the grammar; `diagnose`
 * finds the error messages.
 */
import type { Call, Expr, LiteralValue, MapEntry, ParsedAst, StructField } from '../ast.ts';
import { diagnose } from './diagnose/diagnose.ts';
import { balance, createExprMaker, MacroFailure, type LogicOperator } from './expr-maker.ts';
import { tokenize } from './lexer.ts';
import { literalValue } from './literal.ts';
import type { MacroTable } from './macro-table.ts';
import { codePointOffsets, createSource, type Issue } from './source.ts';
import { isReserved, type Token, type TokenKind } from './token.ts';

export type ParseResult = { readonly ast: ParsedAst } | { readonly issues: readonly Issue[] };

/** Limits nesting, so that no later pass overflows the stack. */
const maxDepth = 250;
const maxCodePoints = 100_000;

export interface ParseOptions {
  readonly macros: MacroTable;
  /** Whether to allow `a.?b`, `a[?b]`, `[?a]` and `{?a: b}`. */
  readonly optionalSyntax: boolean;
}

export function parse(text: string, options: ParseOptions): ParseResult {
  const source = createSource(text);
  const toCodePoint = codePointOffsets(text);
  const length = toCodePoint(text.length);
  if (length > maxCodePoints) {
    return wholeIssue(`expression code point size exceeds limit: size: ${length}, limit ${maxCodePoints}`);
  }
  const { tokens, unknown } = tokenize(text);
  const broken = { text, tokens, unknown, toCodePoint };
  if (unknown.length > 0) return { issues: diagnose(broken, options.macros) };
  const parser = new Parser(text, tokens, toCodePoint, options);
  try {
    const expr = parser.parseStart();
    return parser.issues.length > 0
      ? { issues: parser.issues }
      : { ast: { expr, source, macroCalls: parser.macroCalls } };
  } catch (error) {
    if (error === unexpectedToken) return { issues: diagnose(broken, options.macros) };
    if (error instanceof TooDeep) return wholeIssue(error.message);
    throw error;
  }
}

function wholeIssue(message: string): ParseResult {
  return { issues: [{ offset: undefined, message }] };
}

/** Has no position, because `diagnose` parses again. */
const unexpectedToken = new Error('unexpected token');

class TooDeep {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const relationFunctions: ReadonlyMap<TokenKind, string> = new Map([
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>=', '_>=_'],
  ['>', '_>_'],
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['in', '@in'],
]);

interface Arithmetic {
  readonly name: string;
  readonly precedence: number;
}

const arithmeticOperators: ReadonlyMap<TokenKind, Arithmetic> = new Map([
  ['*', { name: '_*_', precedence: 2 }],
  ['/', { name: '_/_', precedence: 2 }],
  ['%', { name: '_%_', precedence: 2 }],
  ['+', { name: '_+_', precedence: 1 }],
  ['-', { name: '_-_', precedence: 1 }],
]);

class Parser {
  readonly issues: Issue[] = [];
  readonly macroCalls = new Map<number, Call>();
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #toCodePoint: (index: number) => number;
  readonly #options: ParseOptions;
  #position = 0;
  #lastId = 0;
  /** The nesting of operators, selections and member calls in the last parsed expression. */
  #height = 0;
  #expressionDepth = 0;
  #relationDepth = 0;
  #calculationDepth = 0;

  constructor(text: string, tokens: readonly Token[], toCodePoint: (index: number) => number, options: ParseOptions) {
    this.#text = text;
    this.#tokens = tokens;
    this.#toCodePoint = toCodePoint;
    this.#options = options;
  }

  parseStart(): Expr {
    const expr = this.#parseExpression();
    this.#expect('<EOF>');
    if (this.#height > maxDepth) throw new TooDeep('max recursion depth exceeded');
    return expr;
  }

  #parseExpression(): Expr {
    this.#expressionDepth = deeper(this.#expressionDepth);
    const condition = this.#parseOr();
    const attributes = this.#accept('?');
    this.#expressionDepth--;
    if (attributes === undefined) return condition;
    this.#expressionDepth++;
    let height = this.#height;
    const id = this.#nextId();
    const whenTrue = this.#parseOr();
    height = Math.max(height, this.#height);
    this.#expect(':');
    const whenFalse = this.#parseExpression();
    this.#height = Math.max(height, this.#height) + 1;
    this.#expressionDepth--;
    return this.#call(id, attributes, '_?_:_', [condition, whenTrue, whenFalse]);
  }

  #parseOr(): Expr {
    return this.#parseChain('||', '_||_', () => this.#parseAnd());
  }

  #parseAnd(): Expr {
    return this.#parseChain('&&', '_&&_', () => this.#parseRelation());
  }

  #parseChain(kind: '||' | '&&', name: '_||_' | '_&&_', parseTerm: () => Expr): Expr {
    const first = parseTerm();
    if (this.#peek() !== kind) return first;
    const terms = [first];
    const operators: LogicOperator[] = [];
    let height = this.#height;
    for (let operator = this.#accept(kind); operator !== undefined; operator = this.#accept(kind)) {
      terms.push(parseTerm());
      height = Math.max(height, this.#height);
      operators.push({ id: this.#nextId(), offset: this.#toCodePoint(operator.start) });
    }
    this.#height = height;
    return balance(name, terms, operators);
  }

  #parseRelation(): Expr {
    this.#relationDepth = deeper(this.#relationDepth);
    let left = this.#parseCalculation(0);
    for (
      let name = relationFunctions.get(this.#peek());
      name !== undefined;
      name = relationFunctions.get(this.#peek())
    ) {
      const operator = this.#advance();
      const height = this.#height;
      const id = this.#nextId();
      this.#relationDepth = deeper(this.#relationDepth);
      const right = this.#parseCalculation(0);
      this.#relationDepth--;
      this.#height = Math.max(height, this.#height) + 1;
      left = this.#call(id, operator, name, [left, right]);
    }
    this.#relationDepth--;
    return left;
  }

  #parseCalculation(minPrecedence: number): Expr {
    this.#calculationDepth = deeper(this.#calculationDepth);
    let left = this.#parseUnary();
    for (;;) {
      const arithmetic = arithmeticOperators.get(this.#peek());
      if (arithmetic === undefined || arithmetic.precedence < minPrecedence) break;
      const operator = this.#advance();
      const height = this.#height;
      const id = this.#nextId();
      const right = this.#parseCalculation(arithmetic.precedence + 1);
      this.#height = Math.max(height, this.#height) + 1;
      left = this.#call(id, operator, arithmetic.name, [left, right]);
    }
    this.#calculationDepth--;
    return left;
  }

  #parseUnary(): Expr {
    const kind = this.#peek();
    if (kind !== '!' && (kind !== '-' || this.#isNumber(1))) return this.#parseMember();
    const first = this.#advance();
    let isOdd = true;
    while (this.#accept(kind) !== undefined) isOdd = !isOdd;
    if (!isOdd) return this.#parseMember();
    const id = this.#nextId();
    return this.#call(id, first, kind === '!' ? '!_' : '-_', [this.#parseMember()]);
  }

  #parseMember(): Expr {
    let expr = this.#parsePrimary();
    for (;;) {
      const operator = this.#current();
      if (operator.kind === '.') expr = this.#parseSelection(expr);
      else if (operator.kind === '[') expr = this.#parseIndex(expr);
      else return expr;
    }
  }

  #parseSelection(operand: Expr): Expr {
    const dot = this.#advance();
    const isOptional = this.#accept('?') !== undefined;
    const name = this.#advance();
    if (name.kind !== 'IDENTIFIER' && name.kind !== 'ESC_IDENTIFIER') throw unexpectedToken;
    if (name.kind === 'ESC_IDENTIFIER') this.#report(name, "unsupported syntax: '`'");
    const field = this.#textOf(name);
    if (!isOptional && name.kind === 'IDENTIFIER' && this.#peek() === '(') return this.#parseMemberCall(operand, field);
    this.#height++;
    if (!isOptional) {
      return { kind: 'select', id: this.#nextId(), offset: this.#toCodePoint(dot.start), operand, field, test: false };
    }
    if (!this.#options.optionalSyntax) return this.#report(dot, "unsupported syntax '.?'");
    const key = this.#literal(name, { type: 'string', value: field });
    return this.#call(this.#nextId(), dot, '_?._', [operand, key]);
  }

  #parseMemberCall(target: Expr, name: string): Expr {
    const targetHeight = this.#height;
    const open = this.#advance();
    const id = this.#nextId();
    const args = this.#parseArguments();
    this.#height = Math.max(targetHeight, this.#height) + 1;
    return this.#callOrMacro(id, open, name, target, args);
  }

  #parseIndex(operand: Expr): Expr {
    const open = this.#advance();
    const isOptional = this.#accept('?') !== undefined;
    const operandHeight = this.#height;
    const id = this.#nextId();
    const index = this.#parseExpression();
    this.#expect(']');
    this.#height = Math.max(operandHeight, this.#height) + 1;
    if (isOptional && !this.#options.optionalSyntax) return this.#report(open, "unsupported syntax '[?'");
    return this.#call(id, open, isOptional ? '_[?_]' : '_[_]', [operand, index]);
  }

  /** After the opening parenthesis. */
  #parseArguments(): Expr[] {
    const args: Expr[] = [];
    let height = 0;
    if (this.#peek() !== ')') {
      do {
        args.push(this.#parseExpression());
        height = Math.max(height, this.#height);
      } while (this.#accept(',') !== undefined);
    }
    this.#expect(')');
    this.#height = height;
    return args;
  }

  #parsePrimary(): Expr {
    this.#height = 0;
    const token = this.#current();
    if (token.kind === 'IDENTIFIER' || token.kind === '.') return this.#parseName();
    if (token.kind === '[') return this.#parseList();
    if (token.kind === '{') return this.#parseMap();
    if (token.kind !== '(') return this.#parseLiteral();
    this.#position++;
    const expr = this.#parseExpression();
    this.#expect(')');
    return expr;
  }

  /** A variable, a call, or `a.b.C{…}`. */
  #parseName(): Expr {
    const start = this.#current();
    const dot = this.#accept('.') === undefined ? '' : '.';
    const name = this.#expect('IDENTIFIER');
    const brace = this.#positionOfBrace();
    if (brace !== undefined) return this.#parseStruct(dot, name, brace);
    const text = this.#textOf(name);
    if (this.#peek() === '(') {
      const open = this.#advance();
      const id = this.#nextId();
      const args = this.#parseArguments();
      return isReserved(text)
        ? this.#report(start, `reserved identifier: ${text}`)
        : this.#callOrMacro(id, open, dot + text, undefined, args);
    }
    if (isReserved(text)) return this.#report(start, `reserved identifier: ${text}`);
    return { kind: 'ident', id: this.#nextId(), offset: this.#toCodePoint(name.start), name: dot + text };
  }

  /** The position of a brace that makes the name a type: `.b.C{`. */
  #positionOfBrace(): number | undefined {
    let position = this.#position;
    while (this.#tokens[position]?.kind === '.' && this.#tokens[position + 1]?.kind === 'IDENTIFIER') position += 2;
    return this.#tokens[position]?.kind === '{' ? position : undefined;
  }

  #parseStruct(dot: string, name: Token, bracePosition: number): Expr {
    const names = [this.#textOf(name)];
    for (let position = this.#position + 1; position < bracePosition; position += 2) {
      names.push(this.#textOf(this.#tokens[position] as Token));
    }
    this.#position = bracePosition;
    const open = this.#advance();
    const id = this.#nextId();
    const fields = this.#parseEntries(() => this.#parseStructField());
    return { kind: 'struct', id, offset: this.#toCodePoint(open.start), typeName: dot + names.join('.'), fields };
  }

  #parseStructField(): StructField {
    const attributes = this.#accept('?');
    const name = this.#advance();
    if (name.kind !== 'IDENTIFIER' && name.kind !== 'ESC_IDENTIFIER') throw unexpectedToken;
    const colon = this.#expect(':');
    const id = this.#nextId();
    if (attributes !== undefined && !this.#options.optionalSyntax) this.#report(attributes, "unsupported syntax '?'");
    else if (name.kind === 'ESC_IDENTIFIER') this.#report(name, "unsupported syntax: '`'");
    const value = this.#parseExpression();
    return {
      id,
      offset: this.#toCodePoint(colon.start),
      name: this.#textOf(name),
      value,
      optional: attributes !== undefined,
    };
  }

  #parseMap(): Expr {
    const open = this.#advance();
    const id = this.#nextId();
    const entries = this.#parseEntries(() => this.#parseMapEntry());
    return { kind: 'map', id, offset: this.#toCodePoint(open.start), entries };
  }

  #parseMapEntry(): MapEntry {
    const attributes = this.#accept('?');
    const key = this.#parseExpression();
    const height = this.#height;
    const colon = this.#expect(':');
    const id = this.#nextId();
    const value = this.#parseExpression();
    this.#height = Math.max(height, this.#height);
    if (attributes !== undefined && !this.#options.optionalSyntax) this.#report(attributes, "unsupported syntax '?'");
    return { id, offset: this.#toCodePoint(colon.start), key, value, optional: attributes !== undefined };
  }

  #parseList(): Expr {
    const open = this.#advance();
    const id = this.#nextId();
    const optional = new Set<number>();
    const elements: Expr[] = [];
    let height = 0;
    while (this.#peek() !== ']') {
      if (elements.length === 0 && this.#accept(',') !== undefined) break;
      const attributes = this.#accept('?');
      if (attributes !== undefined && !this.#options.optionalSyntax) this.#report(attributes, "unsupported syntax '?'");
      if (attributes !== undefined) optional.add(elements.length);
      elements.push(this.#parseExpression());
      height = Math.max(height, this.#height);
      if (this.#accept(',') === undefined) break;
    }
    this.#expect(']');
    this.#height = height;
    return { kind: 'list', id, offset: this.#toCodePoint(open.start), elements, optional };
  }

  /** Up to the closing brace. A trailing or single comma is allowed. */
  #parseEntries<T>(parseEntry: () => T): T[] {
    const entries: T[] = [];
    let height = 0;
    while (this.#peek() !== '}') {
      if (entries.length === 0 && this.#accept(',') !== undefined) break;
      entries.push(parseEntry());
      height = Math.max(height, this.#height);
      if (this.#accept(',') === undefined) break;
    }
    this.#expect('}');
    this.#height = height;
    return entries;
  }

  #parseLiteral(): Expr {
    const start = this.#current();
    const isNegative = this.#accept('-') !== undefined;
    const token = this.#advance();
    if (isNegative && token.kind !== 'NUM_INT' && token.kind !== 'NUM_FLOAT') throw unexpectedToken;
    const value = literalValue(token.kind, this.#textOf(token), isNegative);
    if (value === undefined) throw unexpectedToken;
    return typeof value === 'string' ? this.#report(start, value) : this.#literal(start, value);
  }

  #callOrMacro(id: number, open: Token, name: string, target: Expr | undefined, args: Expr[]): Expr {
    const macro = this.#options.macros.find(name, args.length, target !== undefined);
    if (macro === undefined) return this.#call(id, open, name, args, target);
    const offset = this.#toCodePoint(open.start);
    try {
      const expanded = macro.expand(
        createExprMaker(offset, () => this.#nextId()),
        target,
        args,
      );
      if (expanded === undefined) return this.#call(id, open, name, args, target);
      this.macroCalls.set(expanded.id, { kind: 'call', id, offset, function: name, target, args });
      return expanded;
    } catch (error) {
      if (!(error instanceof MacroFailure)) throw error;
      this.issues.push({ offset: error.offset, message: error.message });
      return this.#placeholder(open);
    }
  }

  #call(id: number, at: Token, name: string, args: readonly Expr[], target?: Expr): Call {
    return { kind: 'call', id, offset: this.#toCodePoint(at.start), function: name, target, args };
  }

  #literal(at: Token, value: LiteralValue): Expr {
    return { kind: 'literal', id: this.#nextId(), offset: this.#toCodePoint(at.start), value };
  }

  /** Reports an issue and continues with a placeholder, to find further issues. */
  #report(at: Token, message: string): Expr {
    this.issues.push({ offset: this.#toCodePoint(at.start), message });
    return this.#placeholder(at);
  }

  #placeholder(at: Token): Expr {
    return this.#literal(at, { type: 'null' });
  }

  #isNumber(ahead: number): boolean {
    const kind = this.#tokens[this.#position + ahead]?.kind;
    return kind === 'NUM_INT' || kind === 'NUM_FLOAT';
  }

  #textOf(token: Token): string {
    return this.#text.slice(token.start, token.end);
  }

  #current(): Token {
    return this.#tokens[this.#position] as Token;
  }

  #peek(): TokenKind {
    return this.#current().kind;
  }

  #advance(): Token {
    const token = this.#current();
    if (token.kind === '<EOF>') throw unexpectedToken;
    this.#position++;
    return token;
  }

  #accept(kind: TokenKind): Token | undefined {
    if (this.#peek() !== kind) return undefined;
    return this.#tokens[this.#position++];
  }

  #expect(kind: TokenKind): Token {
    const token = this.#current();
    if (token.kind !== kind) throw unexpectedToken;
    if (kind !== '<EOF>') this.#position++;
    return token;
  }

  #nextId(): number {
    return ++this.#lastId;
  }
}

function deeper(depth: number): number {
  if (depth >= maxDepth) throw new TooDeep(`expression recursion limit exceeded: ${maxDepth}`);
  return depth + 1;
}
