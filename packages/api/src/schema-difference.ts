/**
 * How the schema of one version differs from that of another, by path. A path is what a field is called in documents:
 * `spec.deleteOptions`, `status.items[].note` through a list, `status.properties{}.value` through a map, and '' for the object itself.
 */
import type { Fields, JsonSchema, Presence, TypedSchema, ValidationRule } from '@flotilla/schema';
import { isSchema } from './is-schema.ts';

export interface SchemaDifference {
  /** Fields that are missing. */
  readonly lacks?: readonly string[];
  /** Fields that are there but otherwise, and whether they are required. */
  readonly differs?: Fields;
  /** Rules in place of those that stand at these paths; an empty list for none. */
  readonly rules?: Readonly<Record<string, readonly ValidationRule[]>>;
}

export function differentSchema(schema: JsonSchema, { lacks = [], differs = {}, rules = {} }: SchemaDifference) {
  let result = schema;
  for (const path of lacks) result = atParent(result, path, withoutField);
  for (const [path, field] of Object.entries(differs)) {
    result = atParent(result, path, (parent, name) => withField(parent, name, field));
  }
  for (const [path, list] of Object.entries(rules)) {
    result = changed(result, stepsOf(path), (at) => withList(at, 'x-kubernetes-validations', list), path);
  }
  return result;
}

type Change = (schema: JsonSchema) => JsonSchema;

function atParent(schema: JsonSchema, path: string, change: (parent: JsonSchema, name: string) => JsonSchema) {
  const steps = stepsOf(path);
  const name = steps.pop() ?? '';
  return changed(schema, steps, (parent) => change(existing(parent, name, path), name), path);
}

/** `a[].b{}` is the steps a, [], b, {}. */
function stepsOf(path: string): string[] {
  return path === '' ? [] : path.split('.').flatMap((part) => part.split(/(\[\]|\{\})/).filter((step) => step !== ''));
}

/** A copy of the schema in which what the steps lead to is changed; all beside the way is shared. */
function changed(schema: JsonSchema, steps: readonly string[], change: Change, path: string): JsonSchema {
  const [step, ...rest] = steps;
  if (step === undefined) return change(schema);
  const { items, additionalProperties, properties = {} } = schema;
  if (step === '[]' && isSchema(items)) return { ...schema, items: changed(items, rest, change, path) };
  if (step === '{}' && isSchema(additionalProperties)) {
    return { ...schema, additionalProperties: changed(additionalProperties, rest, change, path) };
  }
  const next = existing(schema, step, path).properties?.[step];
  return next ? { ...schema, properties: { ...properties, [step]: changed(next, rest, change, path) } } : schema;
}

/** A difference at a field that is not there is a slip of the pen. */
function existing(parent: JsonSchema, name: string, path: string): JsonSchema {
  if (!parent.properties?.[name]) throw new Error(`no field ${name} on the way of ${path}`);
  return parent;
}

function withoutField(parent: JsonSchema, name: string): JsonSchema {
  const others = (parent.required ?? []).filter((other) => other !== name);
  return withList({ ...parent, properties: except(parent.properties ?? {}, name) }, 'required', others);
}

function withField(parent: JsonSchema, name: string, { json, presence }: TypedSchema<unknown, Presence>): JsonSchema {
  const others = (parent.required ?? []).filter((other) => other !== name);
  const required = presence === 'required' ? [...others, name] : others;
  return withList({ ...parent, properties: { ...parent.properties, [name]: json } }, 'required', required);
}

/** An empty list is none. */
function withList(schema: JsonSchema, key: keyof JsonSchema, list: readonly unknown[]): JsonSchema {
  return list.length > 0 ? { ...schema, [key]: list } : except(schema, key);
}

function except<T extends object>(object: T, name: string): T {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name)) as T;
}
