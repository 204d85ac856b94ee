import type { JsonSchema } from '@flotilla/schema';
import { anchorOf } from './anchor-of.ts';
import { sharedTypeOf, type SharedType } from './shared-type.ts';

/** What a field holds: `list of string`, `integer (int32)`. */
export function typeText(schema: JsonSchema, shared: readonly SharedType[]): string {
  const title = sharedTypeOf(schema, shared)?.title;
  if (title !== undefined) return `[${title}](${anchorOf(title)})`;
  const { type, format, items, additionalProperties: values } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (schema['x-kubernetes-embedded-resource'] === true) return 'any object with kind and apiVersion';
  if (type === undefined) return 'anything';
  if (type === 'array') return `list of ${typeText(items as JsonSchema, shared)}`;
  if (typeof values === 'object') return `map of ${typeText(values, shared)}`;
  if (type === 'object' && schema['x-kubernetes-preserve-unknown-fields'] === true) return 'any object';
  return format === undefined ? type : `${type} (${format})`;
}
