/**
 * How the schema of one version differs from that of another, by path. Paths are `spec.deleteOptions`,
 * `status.items[].note` through a list, `status.properties{}.value` through a map, and '' for the object itself.
 */
import type { Fields, JsonSchema, Presence, TypedSchema, ValidationRule } from '@flotilla/schema';

export interface SchemaDifference {
  readonly lacks?: readonly string[];
  /** Fields that differ, and whether they are required. */
  readonly differs?: Fields;
  /** Rules that replace those at these paths; an empty list removes them. */
  readonly rules?: Readonly<Record<string, readonly ValidationRule[]>>;
}

export function differentSchema(
  schema: JsonSchema,
  { lacks = [], differs = {}, rules = {} }: SchemaDifference,
): JsonSchema {
  let result = schema;
  for (const path of lacks) result = withChangedField(result, path, withoutField);
  for (const [path, field] of Object.entries(differs)) {
    result = withChangedField(result, path, (parent, name) => withField(parent, name, field));
  }
  for (const [path, list] of Object.entries(rules)) {
    result = changed(result, stepsOf(path), (place) => withList(place, 'x-kubernetes-validations', list));
  }
  return result;
}

function withChangedField(
  schema: JsonSchema,
  path: string,
  change: (parent: JsonSchema, name: string) => JsonSchema,
): JsonSchema {
  const steps = stepsOf(path);
  const name = steps.pop() ?? '';
  return changed(schema, steps, (parent) => {
    childAt(parent, name);
    return change(parent, name);
  });
}

/** `a[].b{}` has the steps a, [], b, {}. */
function stepsOf(path: string): string[] {
  return path.split(/\.|(\[\]|\{\})/).filter((step) => step !== undefined && step !== '');
}

/** A copy of the schema, changed at the path. Everything beside the path is shared. */
function changed(schema: JsonSchema, steps: readonly string[], change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const [step, ...rest] = steps;
  if (step === undefined) return change(schema);
  const inner = changed(childAt(schema, step), rest, change);
  if (step === '[]') return { ...schema, items: inner };
  if (step === '{}') return { ...schema, additionalProperties: inner };
  return { ...schema, properties: { ...schema.properties, [step]: inner } };
}

/** The child at a step. Throws if it does not exist, because the declaration is wrong then. */
function childAt({ description, items, additionalProperties, properties = {} }: JsonSchema, step: string): JsonSchema {
  const child = step === '[]' ? items : step === '{}' ? additionalProperties : properties[step];
  if (!isSchema(child)) throw new Error(`version difference at a missing path: no ${step} in "${description}"`);
  return child;
}

function withoutField(parent: JsonSchema, name: string): JsonSchema {
  const others = (parent.required ?? []).filter((other) => other !== name);
  return withList({ ...parent, properties: omit(parent.properties ?? {}, name) }, 'required', others);
}

function withField(parent: JsonSchema, name: string, { json, presence }: TypedSchema<unknown, Presence>): JsonSchema {
  const others = (parent.required ?? []).filter((other) => other !== name);
  const required = presence === 'required' ? [...others, name] : others;
  return withList({ ...parent, properties: { ...parent.properties, [name]: json } }, 'required', required);
}

/** An empty list is removed. */
function withList(schema: JsonSchema, key: keyof JsonSchema, list: readonly unknown[]): JsonSchema {
  return list.length > 0 ? { ...schema, [key]: list } : omit(schema, key);
}

function omit<T extends object>(object: T, name: string): T {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name)) as T;
}

/** `items` and `additionalProperties` can also be lists, booleans or absent. */
export function isSchema(value: JsonSchema | readonly JsonSchema[] | boolean | undefined): value is JsonSchema {
  return typeof value === 'object' && !Array.isArray(value);
}
