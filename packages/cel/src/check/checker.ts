/** Infers the type of each node, and resolves names and calls. A qualified name (`optional.none`) becomes one node. */
import type {
  Call,
  CheckedAst,
  Comprehension,
  Expr,
  Ident,
  ListLiteral,
  MapLiteral,
  ParsedAst,
  Reference,
  Select,
  StructLiteral,
} from '../ast.ts';
import type { DeclaredFunction, DeclaredOverload } from '../declarations.ts';
import type { Issue } from '../parse/source.ts';
import { mapParts, types, type CelType, type ObjectType } from '../type.ts';
import { candidateNames, Scope } from './scope.ts';
import { Substitution } from './substitution.ts';
import { isDyn, isDynOrError, isSameType, mostGeneral, optionalValue, signature, typeName } from './type-relations.ts';

export interface Declarations {
  readonly functions: ReadonlyMap<string, DeclaredFunction>;
  readonly variables: ReadonlyMap<string, CelType>;
  /** Shared by all environments with the same libraries. */
  readonly constants: ReadonlyMap<string, CelType>;
  readonly structs?: FindStruct;
  readonly container: string;
}

/** Returns undefined if there is no such type. */
export type FindStruct = (name: string) => ObjectType | undefined;

export type CheckResult = { readonly ast: CheckedAst } | { readonly issues: readonly Issue[] };

export function check(parsed: ParsedAst, declarations: Declarations): CheckResult {
  const checker = new Checker(declarations);
  const expr = checker.check(parsed.expr);
  if (checker.issues.length > 0) return { issues: checker.issues };
  const checkedTypes = checker.finishTypes();
  const resultType = checkedTypes.get(expr.id) ?? types.dyn;
  return { ast: { ...parsed, expr, types: checkedTypes, references: checker.references, resultType } };
}

/** Limits repeated issues of a shared node. */
const maxRepeatedIssues = 1000;

class Checker {
  readonly issues: Issue[] = [];
  readonly references = new Map<number, Reference>();
  readonly #declarations: Declarations;
  readonly #types = new Map<number, CelType>();
  readonly #substitution = new Substitution();
  /** Replacements of nodes, by id. */
  readonly #rewritten = new Map<number, Expr>();
  /** The issues inside each node, by id. */
  readonly #issuesWithin = new Map<number, readonly [from: number, to: number]>();
  #scope: Scope | undefined;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  finishTypes(): ReadonlyMap<number, CelType> {
    for (const [id, type] of this.#types) {
      const finished = this.#substitution.apply(type, 'dyn');
      if (finished !== type) this.#types.set(id, finished);
    }
    return this.#types;
  }

  check(expr: Expr): Expr {
    if (this.#types.has(expr.id)) return this.#checkAgain(expr);
    const issuesBefore = this.issues.length;
    const checked = this.#checkKind(expr);
    if (checked !== expr) this.#rewritten.set(expr.id, checked);
    if (this.issues.length > issuesBefore) this.#issuesWithin.set(expr.id, [issuesBefore, this.issues.length]);
    return checked;
  }

  /** Macros may use an argument twice. Its issues are then reported twice, but it is checked once. */
  #checkAgain(expr: Expr): Expr {
    const [from, to] = this.#issuesWithin.get(expr.id) ?? [0, 0];
    if (this.issues.length < maxRepeatedIssues) this.issues.push(...this.issues.slice(from, to));
    return this.#rewritten.get(expr.id) ?? expr;
  }

  #checkKind(expr: Expr): Expr {
    switch (expr.kind) {
      case 'literal':
        return this.#typed(expr, literalTypes[expr.value.type]);
      case 'ident':
        return this.#checkIdent(expr);
      case 'select':
        return this.#checkSelect(expr);
      case 'call':
        return this.#checkCall(expr);
      case 'list':
        return this.#checkList(expr);
      case 'map':
        return this.#checkMap(expr);
      case 'struct':
        return this.#checkStruct(expr);
      case 'comprehension':
        return this.#checkComprehension(expr);
    }
  }

  #checkIdent(expr: Ident): Expr {
    const found = this.#findVariable(expr.name);
    if (found === undefined) {
      this.#undeclared(expr.offset, expr.name);
      return this.#typed(expr, types.error);
    }
    this.references.set(expr.id, { name: found.name });
    return this.#typed(expr.name === found.name ? expr : { ...expr, name: found.name }, found.type);
  }

  #checkSelect(expr: Select): Expr {
    const name = expr.test ? undefined : qualifiedName(expr);
    const found = name === undefined ? undefined : this.#findVariable(name);
    if (found !== undefined) {
      this.references.set(expr.id, { name: found.name });
      return this.#typed({ kind: 'ident', id: expr.id, offset: expr.offset, name: found.name }, found.type);
    }
    const operand = this.check(expr.operand);
    const type = this.#fieldType(expr.offset, operand, expr.field, false);
    const checked = operand === expr.operand ? expr : { ...expr, operand };
    return this.#typed(checked, expr.test ? types.bool : this.#substitution.apply(type, 'keep'));
  }

  /** `operand.?field`, which the parser turned into a call. */
  #checkOptionalSelect(expr: Call): Expr {
    const [operand, field] = expr.args as [Expr, Expr];
    if (expr.args.length !== 2 || field.kind !== 'literal' || field.value.type !== 'string') {
      this.#report(expr.offset, 'unsupported optional field selection');
      return this.#typed(expr, types.error);
    }
    const checkedOperand = this.check(operand);
    const type = this.#fieldType(expr.offset, checkedOperand, field.value.value, true);
    this.references.set(expr.id, { overloads: ['select_optional_field'] });
    const checked = checkedOperand === operand ? expr : { ...expr, args: [checkedOperand, field] };
    this.#typed(field, types.string);
    return this.#typed(checked, this.#substitution.apply(type, 'keep'));
  }

  #fieldType(offset: number, operand: Expr, field: string, isOptional: boolean): CelType {
    const operandType = this.#substitution.apply(this.#typeOf(operand), 'keep');
    const inner = optionalValue(operandType);
    const type = this.#plainFieldType(offset, inner ?? operandType, field);
    return inner !== undefined || isOptional ? types.optional(type) : type;
  }

  #plainFieldType(offset: number, target: CelType, field: string): CelType {
    if (target.kind === 'map') return target.value;
    if (target.kind === 'object') {
      const type = target.field(field);
      if (target.isSealed === true) this.#report(offset, `unexpected failed resolution of '${target.name}'`);
      else if (type === undefined) this.#report(offset, `undefined field '${field}'`);
      return type ?? types.error;
    }
    if (target.kind === 'param') this.#substitution.isAssignable(types.dyn, target);
    else if (!isDynOrError(target)) this.#report(offset, `type '${typeName(target)}' does not support field selection`);
    return types.dyn;
  }

  #checkCall(expr: Call): Expr {
    if (expr.function === '_?._') return this.#checkOptionalSelect(expr);
    const args = this.#checkAll(expr.args);
    if (expr.target === undefined) {
      const declared = this.#findFunction(expr.function);
      return this.#resolve(withCallParts(expr, declared?.name ?? expr.function, undefined, args), declared);
    }
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : this.#findFunction(`${prefix}.${expr.function}`);
    if (namespaced !== undefined)
      return this.#resolve(withCallParts(expr, namespaced.name, undefined, args), namespaced);
    const target = this.check(expr.target);
    return this.#resolve(withCallParts(expr, expr.function, target, args), this.#findFunction(expr.function));
  }

  #resolve(call: Call, declared: DeclaredFunction | undefined): Expr {
    if (declared === undefined) {
      this.#undeclared(call.offset, call.function);
      return this.#typed(call, types.error);
    }
    if (declared.name === '_&&_' || declared.name === '_||_') return this.#resolveLogic(call, declared);
    const args = call.target === undefined ? call.args : [call.target, ...call.args];
    const argTypes = args.map((arg) => this.#typeOf(arg));
    const matching: string[] = [];
    let result: CelType | undefined;
    for (const candidate of declared.overloads) {
      if (candidate.overload.isMember !== (call.target !== undefined)) continue;
      const candidateResult = this.#match(candidate, argTypes);
      if (candidateResult === undefined) continue;
      matching.push(candidate.overload.id);
      if (result === undefined) result = candidateResult;
      else if (!isDyn(result) && !isSameType(candidateResult, result)) result = types.dyn;
    }
    if (result === undefined) {
      const shown = argTypes.map((type) => this.#substitution.apply(type, 'dyn'));
      const applied = signature(shown, call.target !== undefined);
      this.#report(call.offset, `found no matching overload for '${declared.name}' applied to '${applied}'`);
      return this.#typed(call, types.error);
    }
    this.references.set(call.id, { overloads: matching });
    return this.#typed(call, result);
  }

  /** Reports each operand that is not a bool. */
  #resolveLogic(call: Call, declared: DeclaredFunction): Expr {
    const wrong = call.args.filter((arg) => !this.#substitution.isAssignable(this.#typeOf(arg), types.bool));
    for (const arg of wrong) this.#mismatch(arg.offset, types.bool, this.#typeOf(arg));
    if (wrong.length > 0) return this.#typed(call, types.error);
    this.references.set(call.id, { overloads: declared.overloads.map(({ overload }) => overload.id) });
    return this.#typed(call, types.bool);
  }

  /** The result type if the overload accepts these arguments. */
  #match({ overload, typeParameters }: DeclaredOverload, argTypes: readonly CelType[]): CelType | undefined {
    if (typeParameters.length === 0) {
      return this.#substitution.areAssignable(argTypes, overload.parameters) ? overload.result : undefined;
    }
    const fresh = new Map(typeParameters.map((name) => [name, this.#substitution.freshVariable()]));
    const parameters = overload.parameters.map((type) => instantiate(type, fresh));
    if (!this.#substitution.areAssignable(argTypes, parameters)) return undefined;
    return this.#substitution.apply(instantiate(overload.result, fresh), 'keep');
  }

  #checkList(expr: ListLiteral): Expr {
    const elements = this.#checkAll(expr.elements);
    let joined: CelType | undefined;
    for (const [index, element] of elements.entries()) {
      const type = this.#typeOf(element);
      joined = this.#join(joined, expr.optional.has(index) ? this.#unwrapOptional(element, type) : type);
    }
    const checked = elements === expr.elements ? expr : { ...expr, elements };
    return this.#typed(checked, types.list(joined ?? this.#substitution.freshVariable()));
  }

  #checkMap(expr: MapLiteral): Expr {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    let isChanged = false;
    const entries = expr.entries.map((entry) => {
      const key = this.check(entry.key);
      keyType = this.#join(keyType, this.#typeOf(key));
      const value = this.check(entry.value);
      const type = this.#typeOf(value);
      valueType = this.#join(valueType, entry.optional ? this.#unwrapOptional(value, type) : type);
      if (key === entry.key && value === entry.value) return entry;
      isChanged = true;
      return { ...entry, key, value };
    });
    keyType ??= this.#substitution.freshVariable();
    valueType ??= this.#substitution.freshVariable();
    return this.#typed(isChanged ? { ...expr, entries } : expr, types.map(keyType, valueType));
  }

  #checkStruct(expr: StructLiteral): Expr {
    const found = this.#findVariable(expr.typeName);
    if (found === undefined) {
      this.#undeclared(expr.offset, expr.typeName);
      return this.#typed(expr, types.error);
    }
    this.references.set(expr.id, { name: found.name });
    const type = this.#structType(expr.offset, found.type);
    const fields = expr.fields.map((field) => {
      const value = this.check(field.value);
      const fieldType = type.kind === 'object' ? this.#plainFieldType(field.offset, type, field.name) : types.error;
      const valueType = field.optional ? this.#unwrapOptional(value, this.#typeOf(value)) : this.#typeOf(value);
      if (!this.#substitution.isAssignable(fieldType, valueType)) {
        const message = `expected type of field '${field.name}' is '${typeName(fieldType)}' but provided type is '${typeName(valueType)}'`;
        this.#report(field.offset, message);
      }
      return value === field.value ? field : { ...field, value };
    });
    return this.#typed({ ...expr, typeName: found.name, fields }, type);
  }

  #structType(offset: number, named: CelType): CelType {
    if (named.kind === 'error') return types.error;
    if (named.kind !== 'type') {
      this.#report(offset, `'${typeName(named)}' is not a type`);
      return types.error;
    }
    if (named.of?.kind === 'object') return named.of;
    this.#report(offset, `'${named.of === undefined ? 'type' : typeName(named.of)}' is not a message type`);
    return types.error;
  }

  #checkComprehension(expr: Comprehension): Expr {
    const range = this.check(expr.range);
    const init = this.check(expr.init);
    const rangeType = this.#substitution.apply(this.#typeOf(range), 'keep');
    const accuType = this.#typeOf(init);
    const [first, second] = this.#variableTypes(range, rangeType, expr.iterVar2 !== undefined);

    const outer = this.#scope;
    const withAccumulator = new Scope(outer, [expr.accuVar, accuType]);
    this.#scope =
      expr.iterVar2 === undefined
        ? new Scope(withAccumulator, [expr.iterVar, first])
        : new Scope(withAccumulator, [expr.iterVar, first], [expr.iterVar2, second]);
    const condition = this.check(expr.condition);
    this.#expectType(condition, types.bool);
    const step = this.check(expr.step);
    this.#expectType(step, accuType);
    this.#scope = withAccumulator;
    const result = this.check(expr.result);
    this.#scope = outer;

    const checked = { ...expr, range, init, condition, step, result };
    return this.#typed(checked, this.#substitution.apply(this.#typeOf(result), 'keep'));
  }

  #variableTypes(range: Expr, type: CelType, hasTwo: boolean): readonly [CelType, CelType] {
    if (type.kind === 'list') return hasTwo ? [types.int, type.element] : [type.element, types.error];
    if (type.kind === 'map') return [type.key, type.value];
    if (isDynOrError(type) || type.kind === 'param') {
      this.#substitution.isAssignable(types.dyn, type);
      return [types.dyn, types.dyn];
    }
    const problem = `expression of type '${typeName(type)}' cannot be range of a comprehension`;
    this.#report(range.offset, `${problem} (must be list, map, or dynamic)`);
    return [types.error, types.error];
  }

  /** The common type of all elements so far, or dyn. */
  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.#substitution.isAssignable(previous, current) ? mostGeneral(previous, current) : types.dyn;
  }

  /** For an element or entry with a question mark. */
  #unwrapOptional(value: Expr, type: CelType): CelType {
    const inner = optionalValue(type);
    if (inner !== undefined) return inner;
    if (!isDyn(type)) this.#mismatch(value.offset, types.optional(type), type);
    return type;
  }

  #expectType(expr: Expr, expected: CelType): void {
    const actual = this.#typeOf(expr);
    if (!this.#substitution.isAssignable(expected, actual)) this.#mismatch(expr.offset, expected, actual);
  }

  #checkAll(exprs: readonly Expr[]): readonly Expr[] {
    let isChanged = false;
    const checked = exprs.map((expr) => {
      const replaced = this.check(expr);
      if (replaced !== expr) isChanged = true;
      return replaced;
    });
    return isChanged ? checked : exprs;
  }

  #findVariable(name: string): { name: string; type: CelType } | undefined {
    const { container, variables, constants, structs } = this.#declarations;
    for (const candidate of candidateNames(container, name)) {
      const type = this.#scope?.find(candidate) ?? variables.get(candidate) ?? constants.get(candidate);
      if (type !== undefined) return { name: candidate, type };
      const struct = structs?.(candidate);
      if (struct !== undefined) return { name: candidate, type: { kind: 'type', of: struct } };
    }
    return undefined;
  }

  #findFunction(name: string): DeclaredFunction | undefined {
    for (const candidate of candidateNames(this.#declarations.container, name)) {
      const declared = this.#declarations.functions.get(candidate);
      if (declared !== undefined) return declared;
    }
    return undefined;
  }

  #typed<E extends Expr>(expr: E, type: CelType): E {
    this.#types.set(expr.id, type);
    return expr;
  }

  #typeOf(expr: Expr): CelType {
    return this.#types.get(expr.id) ?? types.error;
  }

  #undeclared(offset: number, name: string): void {
    this.#report(offset, `undeclared reference to '${name}' (in container '${this.#declarations.container}')`);
  }

  #mismatch(offset: number, expected: CelType, actual: CelType): void {
    this.#report(offset, `expected type '${typeName(expected)}' but found '${typeName(actual)}'`);
  }

  #report(offset: number, message: string): void {
    this.issues.push({ offset, message });
  }
}

const literalTypes = {
  null: types.null,
  bool: types.bool,
  int: types.int,
  uint: types.uint,
  double: types.double,
  string: types.string,
  bytes: types.bytes,
} as const;

/** `a.b.c` as one name; undefined if anything else is in it. */
function qualifiedName(expr: Expr): string | undefined {
  const names: string[] = [];
  let current = expr;
  while (current.kind === 'select') {
    if (current.test) return undefined;
    names.push(current.field);
    current = current.operand;
  }
  if (current.kind !== 'ident') return undefined;
  return names.length === 0 ? current.name : `${current.name}.${names.reverse().join('.')}`;
}

function withCallParts(call: Call, name: string, target: Expr | undefined, args: readonly Expr[]): Call {
  if (call.function === name && call.target === target && call.args === args) return call;
  return { ...call, function: name, target, args };
}

/** Replaces type parameters with those of one call. */
function instantiate(type: CelType, fresh: ReadonlyMap<string, CelType>): CelType {
  if (type.kind === 'param') return fresh.get(type.name) ?? type;
  return mapParts(type, (part) => instantiate(part, fresh));
}
