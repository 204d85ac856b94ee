import type { JsonSchema } from '../json-schema.ts';

/** Not part of a structural schema: such schemas are refused elsewhere, or have nothing in them. */
const nonStructuralKeywords: ReadonlySet<string> = new Set([
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
]);

/** Of these, Kubernetes keeps no empty list. Of others it does, and takes it for something that was said. */
const rebuiltKeywords: ReadonlySet<string> = new Set(['enum', 'allOf', 'anyOf', 'oneOf']);

/** The keywords that say something about a schema's structure or values. */
export function structuralKeywords(schema: JsonSchema): string[] {
  return Object.keys(schema).filter((keyword) => {
    if (nonStructuralKeywords.has(keyword)) return false;
    const value = schema[keyword as keyof JsonSchema];
    return !(rebuiltKeywords.has(keyword) && Array.isArray(value) && value.length === 0);
  });
}
