/** Validates a value against its type, as structured merge diff does first. */
import { pushAll } from '../json/untrusted.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { goSyntaxOfWrapped, goTextOfWrapped, goTypeOf } from './go-value.ts';
import { atIndex, itemElement } from './list-item.ts';
import { atomOf, entryType, type ListMerge, type MapMerge, type MergeType } from './merge-type.ts';
import { elementText, fieldElement } from './path-element.ts';
import { prefixProblems, SchemaError, type Problem } from './schema-error.ts';
import { isNumber, isScalar } from './value-order.ts';

interface TypedCheck {
  /** Stored objects may repeat items of sets and list-maps; applied configurations may not. */
  readonly allowDuplicates: boolean;
}

/** Throws `SchemaError` with all problems. */
export function validateTyped(type: MergeType, value: JsonValue, check: TypedCheck): void {
  const problems = problemsOf(type, value, check);
  if (problems.length > 0) throw new SchemaError(problems);
}

function problemsOf(type: MergeType, value: JsonValue, check: TypedCheck): readonly Problem[] {
  if (value === null) return [];
  switch (atomOf(type, value)) {
    case 'map':
      return type.map === undefined ? [] : mapProblems(type.map, value, check);
    case 'list':
      return type.list === undefined ? [] : listProblems(type.list, value, check);
    case 'scalar':
      return scalarProblems(type.scalar, value);
  }
}

function scalarProblems(scalar: MergeType['scalar'], value: JsonValue): readonly Problem[] {
  switch (scalar) {
    case 'numeric':
      return isNumber(value) ? [] : expected(`numeric (int or float), got ${goTypeOf(value)}`);
    case 'string':
      return typeof value === 'string' ? [] : expected(`string, got ${goSyntaxOfWrapped(value)}`);
    case 'boolean':
      return typeof value === 'boolean' ? [] : expected(`boolean, got ${goTextOfWrapped(value)}`);
    case 'untyped':
      return isScalar(value) ? [] : expected(`any scalar, got ${goTextOfWrapped(value)}`);
    case undefined:
      return [];
  }
}

function listProblems(list: ListMerge, value: JsonValue, check: TypedCheck): readonly Problem[] {
  if (!Array.isArray(value)) return expected(`list, got ${goTextOfWrapped(value)}`);
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const element = list.relationship === 'associative' ? itemElement(list, item) : `i:${index}`;
    if (typeof element !== 'string') return [...problems, atIndex(index, element)];
    if (seen.has(element) && !check.allowDuplicates) problems.push(duplicate(element));
    seen.add(element);
    pushAll(problems, prefixProblems(element, problemsOf(list.element(), item, check)));
  }
  return problems;
}

function mapProblems(map: MapMerge, value: JsonValue, check: TypedCheck): readonly Problem[] {
  if (!isJsonObject(value)) return expected(`map, got ${goTextOfWrapped(value)}`);
  const problems: Problem[] = [];
  for (const key of Object.keys(value)) {
    const entry = value[key];
    if (entry === undefined) continue;
    const type = entryType(map, key);
    // Stops at the first undeclared field, as structured merge diff does.
    if (type === undefined) return [...problems, ...prefixProblems(fieldElement(key), [undeclared])];
    pushAll(problems, prefixProblems(fieldElement(key), problemsOf(type, entry, check)));
  }
  return problems;
}

const undeclared: Problem = { path: '', message: 'field not declared in schema' };

function duplicate(element: string): Problem {
  return { path: '', message: `duplicate entries for key ${elementText(element)}` };
}

function expected(what: string): readonly Problem[] {
  return [{ path: '', message: `expected ${what}` }];
}
