export type { CompiledSchema, Validation } from './compiled-schema.ts';
export type * from './definition/custom-resource-definition.ts';
export type { JsonSchema, ValidationRule } from './json-schema.ts';
