export type { CompiledSchema, Validation } from './compiled-schema.ts';
export type * from './definition/custom-resource-definition.ts';
export type { JsonSchema, ValidationRule } from './json-schema.ts';
export {
  celTypeOf,
  declarationOf,
  maxChildren,
  maxOccurrences,
  MAX_REQUEST_BYTES,
  sizesIn,
  type CelDeclaration,
} from './rules/cel-type.ts';
export { publishedListSchema, publishedSchema, type OpenApiForm } from './openapi/published-schema.ts';
export { defineKind, type KindDeclaration, type VersionDeclaration } from './builder/define-kind.ts';
export { s } from './builder/s.ts';
export type { Infer, TypedSchema } from './builder/typed-schema.ts';
export { printTypes } from './typescript/print-types.ts';
