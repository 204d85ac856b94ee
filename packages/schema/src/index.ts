export { compileSchema, type CompileOptions } from './compile-schema.ts';
export type { CompiledSchema, ValidationContext, Validation } from './compiled-schema.ts';
export { acceptNames } from './definition/accepted-names.ts';
export {
  approvalCondition,
  conditionOf,
  establishedCondition,
  isConditionTrue,
  nonStructuralCondition,
  terminating,
  withCondition,
  withoutCondition,
  type ConditionState,
} from './definition/conditions.ts';
export type * from './definition/custom-resource-definition.ts';
export {
  prepareForCreate,
  prepareForStatusUpdate,
  prepareForUpdate,
  setDefinitionDefaults,
} from './definition/prepare-definition.ts';
export { definitionWarnings } from './definition/definition-warnings.ts';
export { dropEmptyKeywords } from './definition/schemas/empty-keywords.ts';
export {
  validateDefinition,
  validateDefinitionStatusUpdate,
  validateDefinitionUpdate,
} from './definition/validate-definition.ts';
export type { JsonSchema, ValidationRule } from './json-schema.ts';
export { objectFields, publishedListSchema, publishedSchema, type OpenApiForm } from './openapi/published-schema.ts';
export { defineKind, type KindDeclaration, type VersionDeclaration } from './builder/define-kind.ts';
export { s } from './builder/s.ts';
export type { Fields, Infer, ObjectOf, Presence, TypedSchema } from './builder/typed-schema.ts';
export { printTypes } from './typescript/print-types.ts';
