/** Checks that need types: refuses literals that would always fail at run time. */
import {
  childrenOf,
  type Call,
  type CheckedAst,
  type Expr,
  type ListLiteral,
  type LiteralValue,
  type MapLiteral,
} from '../ast.ts';
import type { DeclaredFunction } from '../declarations.ts';
import type { Issue } from '../parse/source.ts';
import type { CelType } from '../type.ts';
import { CelError, CelUint, type CelValue } from '../value.ts';
import { compilePattern } from '../values/pattern.ts';
import { checkFormat } from './format-string.ts';
import { isSameType, optionalValue, typeName } from './type-relations.ts';

export function validate(ast: CheckedAst, functions: ReadonlyMap<string, DeclaredFunction>): readonly Issue[] {
  const validator = new Validator(ast, functions);
  validator.visit(ast.expr, false);
  return validator.issues;
}

class Validator {
  readonly issues: Issue[] = [];
  readonly #ast: CheckedAst;
  readonly #functions: ReadonlyMap<string, DeclaredFunction>;
  readonly #visited = new Set<number>();

  constructor(ast: CheckedAst, functions: ReadonlyMap<string, DeclaredFunction>) {
    this.#ast = ast;
    this.#functions = functions;
  }

  /** Arguments of `format` may have any types, so literals in them may be mixed. */
  visit(expr: Expr, isFormatted: boolean): void {
    if (this.#visited.has(expr.id)) return;
    this.#visited.add(expr.id);
    if (expr.kind === 'call') this.#visitCall(expr);
    if (expr.kind === 'list' && !isFormatted) this.#visitList(expr);
    if (expr.kind === 'map' && !isFormatted) this.#visitMap(expr);
    const isFormat = expr.kind === 'call' && expr.function === 'format';
    for (const child of childrenOf(expr)) this.visit(child, isFormatted || isFormat);
  }

  #visitCall(call: Call): void {
    const [first] = call.args;
    if (call.function === 'format') {
      const issue = checkFormat(call, this.#ast);
      if (issue !== undefined) this.issues.push(issue);
    }
    if (first?.kind !== 'literal') return;
    const isWrong =
      call.function === 'matches'
        ? first.value.type === 'string' && compilePattern(first.value.value) instanceof CelError
        : (call.function === 'duration' || call.function === 'timestamp') && this.#fails(call, first.value);
    if (isWrong) this.issues.push({ offset: first.offset, message: `invalid ${call.function} argument` });
  }

  #fails(call: Call, argument: LiteralValue): boolean {
    const ids = this.#ast.references.get(call.id)?.overloads ?? [];
    const declared = this.#functions.get(call.function)?.overloads.find(({ overload }) => overload.id === ids[0]);
    return declared?.overload.call?.(valueOf(argument)) instanceof CelError;
  }

  #visitList({ elements, optional }: ListLiteral): void {
    let expected: CelType | undefined;
    for (const [index, element] of elements.entries()) {
      const type = this.#typeOf(element, optional.has(index));
      expected ??= type;
      if (!isSameType(expected, type)) {
        this.#mismatch(element, expected, type);
        return;
      }
    }
  }

  #visitMap({ entries }: MapLiteral): void {
    const [first, ...others] = entries;
    if (first === undefined) return;
    const keyType = this.#typeOf(first.key, false);
    const valueType = this.#typeOf(first.value, first.optional);
    for (const { key, value, optional } of others) {
      const otherKey = this.#typeOf(key, false);
      const otherValue = this.#typeOf(value, optional);
      if (!isSameType(keyType, otherKey)) this.#mismatch(key, keyType, otherKey);
      if (!isSameType(valueType, otherValue)) this.#mismatch(value, valueType, otherValue);
    }
  }

  #typeOf(expr: Expr, isOptional: boolean): CelType {
    const type = this.#ast.types.get(expr.id) ?? { kind: 'dyn' };
    return (isOptional ? optionalValue(type) : undefined) ?? type;
  }

  #mismatch(expr: Expr, expected: CelType, actual: CelType): void {
    const message = `expected type '${typeName(expected)}' but found '${typeName(actual)}'`;
    this.issues.push({ offset: expr.offset, message });
  }
}

function valueOf(literal: LiteralValue): CelValue {
  if (literal.type === 'null') return null;
  return literal.type === 'uint' ? new CelUint(literal.value) : literal.value;
}
