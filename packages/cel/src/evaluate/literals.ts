import type { ListLiteral, Literal, LiteralValue, MapLiteral } from '../ast.ts';
import { CelError, CelOptional, CelUint, type CelValue } from '../value.ts';
import { ArrayList } from '../values/list.ts';
import { EntryMap } from '../values/map.ts';
import { valueText } from '../values/value-text.ts';
import { constant, type Compiled, type Compiler, type Scope, type Step } from './compiled.ts';

const listCost = 10;
const mapCost = 30;

export function compileLiteral(expr: Literal): Compiled {
  return constant(literalValue(expr.value));
}

function literalValue(literal: LiteralValue): CelValue {
  if (literal.type === 'null') return null;
  return literal.type === 'uint' ? new CelUint(literal.value) : literal.value;
}

/** A constant list is created once, and costs nothing. */
export function compileList(compiler: Compiler, expr: ListLiteral, scope: Scope): Compiled {
  const elements = expr.elements.map((element) => compiler.compile(element, scope));
  const known = constants(elements);
  if (known) return constant(new ArrayList(known));
  const steps = elements.map((element) => element.evaluate);
  const { optional } = expr;
  return {
    evaluate: (frame) => {
      frame.cost += listCost;
      const values: CelValue[] = [];
      for (let i = 0; i < steps.length; i++) {
        const value = (steps[i] as Step)(frame);
        if (value instanceof CelError) return value;
        if (!optional.has(i)) values.push(value);
        else if (!(value instanceof CelOptional)) return notOptional('list element', value);
        else if (value.value !== undefined) values.push(value.value);
      }
      return new ArrayList(values);
    },
  };
}

/** A constant map is created once, and costs nothing. */
export function compileMap(compiler: Compiler, expr: MapLiteral, scope: Scope): Compiled {
  const keys = expr.entries.map((entry) => compiler.compile(entry.key, scope));
  const values = expr.entries.map((entry) => compiler.compile(entry.value, scope));
  const steps = expr.entries.map((entry, i) => ({
    key: (keys[i] as Compiled).evaluate,
    value: (values[i] as Compiled).evaluate,
    isOptional: entry.optional,
  }));
  const evaluate: Step = (frame) => {
    frame.cost += mapCost;
    const map = new EntryMap();
    for (const { key, value, isOptional } of steps) {
      const name = key(frame);
      if (name instanceof CelError) return name;
      const content = value(frame);
      if (content instanceof CelError) return content;
      if (!isOptional) map.set(name, content);
      else if (!(content instanceof CelOptional)) return notOptional(`entry '${valueText(name)}'`, content);
      else if (content.value === undefined) map.delete(name);
      else map.set(name, content.value);
    }
    return map;
  };
  const knownKeys = constants(keys);
  const knownValues = constants(values);
  return knownKeys && knownValues ? constant(mapOf(knownKeys, knownValues)) : { evaluate };
}

function constants(parts: readonly Compiled[]): readonly CelValue[] | undefined {
  const known: CelValue[] = [];
  for (const { constant: value } of parts) {
    if (value === undefined) return undefined;
    known.push(value);
  }
  return known;
}

function mapOf(keys: readonly CelValue[], values: readonly CelValue[]): EntryMap {
  const map = new EntryMap();
  for (const [i, key] of keys.entries()) map.set(key, values[i] as CelValue);
  return map;
}

export function notOptional(what: string, value: CelValue): CelError {
  return new CelError(`cannot initialize optional ${what} from non-optional value ${valueText(value)}`);
}
