/** Checks a value against a schema, with sentences for the author of a file, and fills in defaults. */
import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '@flotilla/schema';
import { formats } from './formats.ts';
import { nearestName } from './nearest-name.ts';
import { numberIn, shown } from './shown.ts';

export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

export interface CheckOptions {
  readonly report: (problem: Problem) => void;
  /** The absolute path of a file that the value names. */
  readonly resolveFile: (file: string) => string;
}

/**
 * The value with all defaults. An invalid value is reported and replaced by its default, so that further checks find what
 * they need. Undefined if there is none.
 */
export function checkedValue(
  value: JsonValue | undefined,
  schema: JsonSchema,
  path: Path,
  options: CheckOptions,
): JsonValue | undefined {
  const { default: byDefault } = schema;
  // A key without a value is the same as no key.
  const checked = value == null ? undefined : checkedType(value, schema, path, options);
  if (checked !== undefined || byDefault === undefined) return checked;
  return checkedType(byDefault, schema, path, options);
}

function checkedType(given: JsonValue, schema: JsonSchema, path: Path, options: CheckOptions): JsonValue | undefined {
  switch (schema.type) {
    case 'object':
      return schema.properties ? checkedObject(given, schema, path, options) : checkedMap(given, schema, path, options);
    case 'array':
      return checkedList(given, schema, path, options);
    case 'string':
      return checkedString(given, schema, path, options);
    case 'boolean':
      return typeof given === 'boolean' ? given : refused(given, 'true or false', path, options);
    case undefined:
    default:
      return checkedNumber(given, schema, path, options);
  }
}

function checkedObject(value: JsonValue, schema: JsonSchema, path: Path, options: CheckOptions): JsonValue | undefined {
  if (!isJsonObject(value)) return refused(value, 'an object with fields', path, options);
  const fields = schema.properties ?? {};
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) options.report({ path: [...path, name], message: unknownField(name, fields) });
  }
  const checked: JsonObject = {};
  for (const [name, field] of Object.entries(fields)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const result = checkedValue(given, field, [...path, name], options);
    if (result !== undefined) checked[name] = result;
    else if (given == null && schema.required?.includes(name)) {
      options.report({ path, message: `the field ${name} is missing` });
    }
  }
  return checked;
}

function unknownField(name: string, fields: Readonly<Record<string, JsonSchema>>): string {
  const known = Object.keys(fields);
  const nearest = nearestName(name, known);
  return nearest === undefined
    ? `unknown field; the fields here are ${known.join(', ')}`
    : `unknown field; did you mean ${nearest}?`;
}

function checkedMap(value: JsonValue, schema: JsonSchema, path: Path, options: CheckOptions): JsonValue | undefined {
  const { additionalProperties: values } = schema;
  if (!isJsonObject(value)) return refused(value, 'an object with names and values', path, options);
  if (typeof values !== 'object') return value;
  const { keyProblem } = formats.get(values.format ?? '') ?? {};
  const checked: JsonObject = {};
  for (const [name, item] of Object.entries(value)) {
    const problem = keyProblem?.(name);
    if (problem !== undefined) options.report({ path: [...path, name], message: problem });
    const result = item === null ? refused(null, 'a value', [...path, name], options) : undefined;
    const entry = item === null ? result : checkedValue(item, values, [...path, name], options);
    if (entry !== undefined) setOwn(checked, name, entry);
  }
  return checked;
}

function checkedList(value: JsonValue, schema: JsonSchema, path: Path, options: CheckOptions): JsonValue | undefined {
  if (!Array.isArray(value)) return refused(value, 'a list', path, options);
  const { maxItems = Infinity, items } = schema;
  if (value.length > maxItems) {
    options.report({ path, message: `has ${value.length} items; at most ${maxItems} are possible` });
    return undefined;
  }
  return value.map((item, index) => {
    const place = [...path, index];
    const checked =
      item === null
        ? refused(null, 'an item of the list', place, options)
        : checkedValue(item, items as JsonSchema, place, options);
    // Keeps the places of the others.
    return checked ?? null;
  });
}

function checkedString(value: JsonValue, schema: JsonSchema, path: Path, options: CheckOptions): string | undefined {
  const { format = '', minLength = 0 } = schema;
  const words = schema.enum as readonly string[] | undefined;
  const { wanted = 'text', acceptsNumbers = false, problem, isFile } = formats.get(format) ?? {};
  if (words !== undefined && !(typeof value === 'string' && words.includes(value))) {
    return refused(value, words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`, path, options);
  }
  const text = acceptsNumbers ? (numberIn(value)?.toString() ?? value) : value;
  if (typeof text !== 'string') {
    const isWord = typeof value === 'boolean' || numberIn(value) !== undefined;
    const advice = isWord && wanted === 'text' ? `text; write it in quotes: "${shown(value)}"` : wanted;
    return refused(value, advice, path, options);
  }
  if (text.length < minLength) return refused(value, 'text that is not empty', path, options);
  const wrong = problem?.(text);
  if (wrong !== undefined) {
    options.report({ path, message: wrong });
    return undefined;
  }
  return isFile?.(text) === true ? options.resolveFile(text) : text;
}

function checkedNumber(value: JsonValue, schema: JsonSchema, path: Path, options: CheckOptions): number | undefined {
  const number = numberIn(value);
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const isWhole = schema.type === 'integer';
  const isRight = number !== undefined && (!isWhole || Number.isInteger(number));
  if (isRight && number >= minimum && number <= maximum) return number;
  const kind = isWhole ? 'a whole number' : 'a number';
  const range = maximum === Infinity ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  return refused(value, `${kind} ${range}`, path, options);
}

function refused(value: JsonValue, wanted: string, path: Path, { report }: CheckOptions): undefined {
  report({ path, message: `${shown(value)} is not ${wanted}` });
}
