import type { JsonSchema } from '@flotilla/schema';

/** `items` and `additionalProperties` can also be lists or booleans, or not be there. */
export function isSchema(value: JsonSchema | readonly JsonSchema[] | boolean | undefined): value is JsonSchema {
  return typeof value === 'object' && !Array.isArray(value);
}
