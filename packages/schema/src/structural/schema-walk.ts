/**
 * Visits every schema inside a schema, including places that Kubernetes refuses. Users decide how deep it is: no
 * recursion.
 */
import type { JsonSchema } from '../json-schema.ts';

/**
 * Deeper schemas are refused, unlike in Kubernetes, so that recursive code needs a bounded stack. Real schemas are not
 * a tenth as deep.
 */
export const maxSchemaDepth = 500;

export function someSchema(root: JsonSchema, holds: (schema: JsonSchema) => boolean): boolean {
  const pending = [root];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (holds(schema)) return true;
    addChildren(schema, pending);
  }
  return false;
}

export function everySchema(root: JsonSchema, look: (schema: JsonSchema) => void): void {
  someSchema(root, (schema) => {
    look(schema);
    return false;
  });
}

export function isTooDeep(root: JsonSchema): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxSchemaDepth) return true;
    const next: JsonSchema[] = [];
    for (const schema of level) addChildren(schema, next);
    level = next;
  }
  return false;
}

function addChildren(schema: JsonSchema, list: JsonSchema[]): void {
  addAll(schema.properties, list);
  addOneOrMore(schema.items, list);
  if (typeof schema.additionalProperties === 'object') list.push(schema.additionalProperties);
  addOneOrMore(schema.allOf, list);
  addOneOrMore(schema.anyOf, list);
  addOneOrMore(schema.oneOf, list);
  if (schema.not !== undefined) list.push(schema.not);
  addAll(schema.patternProperties, list);
  if (typeof schema.additionalItems === 'object') list.push(schema.additionalItems);
  addAll(schema.definitions, list);
  for (const dependency of Object.values(schema.dependencies ?? {})) {
    if (!isList(dependency)) list.push(dependency);
  }
}

function addAll(schemas: Readonly<Record<string, JsonSchema>> | undefined, list: JsonSchema[]): void {
  if (schemas === undefined) return;
  for (const name of Object.keys(schemas)) {
    const schema = schemas[name];
    if (schema !== undefined) list.push(schema);
  }
}

function addOneOrMore(schemas: JsonSchema | readonly JsonSchema[] | undefined, list: JsonSchema[]): void {
  if (schemas === undefined) return;
  if (!isList(schemas)) list.push(schemas);
  else for (const schema of schemas) list.push(schema);
}

function isList<T>(value: object | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
