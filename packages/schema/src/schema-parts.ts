/** The children of a schema where structural schemas may have them. */
import type { JsonSchema } from './json-schema.ts';

/** Undefined also for a list of schemas, which no structural schema has. */
export function itemsOf({ items }: JsonSchema): JsonSchema | undefined {
  return Array.isArray(items) ? undefined : (items as JsonSchema | undefined);
}

/** The schema of a map's values; `true` and `false` say nothing about them. */
export function valuesOf({ additionalProperties: values }: JsonSchema): JsonSchema | undefined {
  return typeof values === 'object' ? values : undefined;
}

export function propertyOf({ properties }: JsonSchema, name: string): JsonSchema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
