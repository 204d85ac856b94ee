import { forbidden, invalid, pushAll, type FieldError } from '@flotilla/kube';
import type { JsonSchema } from '../../json-schema.ts';
import { someSchema } from '../../structural/schema-walk.ts';
import { validateStructural } from '../../structural/structural-rules.ts';
import { unsupportedKeyword } from '../../structural/structural-keywords.ts';
import type { ReadMetadata } from '../../value/coerce-embedded.ts';
import { RuleScope } from '../rules/rule-scope.ts';
import type { Strictness } from '../strictness.ts';
import { withoutEmptyKeywords } from './empty-keywords.ts';
import { invalidPrinted, printSchema } from './internal-form.ts';
import { validateSchemaDefaults } from './schema-defaults.ts';
import { checkSchema } from './schema-keywords.ts';

/** What the validation of schemas needs from the server. */
export interface SchemaChecks {
  readonly readMetadata: ReadMetadata;
}

interface SchemaContext {
  readonly path: string;
  readonly hasStatus: boolean;
  /** Whether its rules were accepted under other limits. */
  readonly mayCostTooMuch: boolean;
}

export function validateSchema(
  given: JsonSchema,
  { path, hasStatus, mayCostTooMuch }: SchemaContext,
  strictness: Strictness,
  checks: SchemaChecks,
): FieldError[] {
  const schema = withoutEmptyKeywords(given);
  const errors = validateRootSchema(given, hasStatus, path);
  const unsupported = strictness.structural ? unsupportedKeyword(schema) : undefined;
  let scope: RuleScope | undefined;
  if (strictness.structural && unsupported === undefined) {
    const structural = validateStructure(given, schema, path, strictness, checks);
    pushAll(errors, structural);
    if (structural.length === 0 && someSchema(schema, hasRules)) scope = RuleScope.ofRoot(schema, mayCostTooMuch);
  }
  const found = checkSchema(schema, path, strictness, scope);
  pushAll(errors, found.schema);
  pushAll(errors, found.rules);
  // Usually another error already has the path.
  if (errors.length === 0 && unsupported !== undefined) errors.push(invalid(path, '', unsupported));
  if (scope !== undefined) pushAll(errors, scope.total.errors(path));
  return errors;
}

function hasRules(schema: JsonSchema): boolean {
  return schema['x-kubernetes-validations'] !== undefined;
}

/** Checks defaults only in a structural schema. */
function validateStructure(
  given: JsonSchema,
  schema: JsonSchema,
  path: string,
  { prunedDefaults }: Strictness,
  { readMetadata }: SchemaChecks,
): FieldError[] {
  const errors = validateStructural(given, path);
  return errors.length > 0 ? errors : validateSchemaDefaults(schema, path, { prunedDefaults, readMetadata });
}

/** Validates the root of a schema, where only properties are kept apart. */
function validateRootSchema(schema: JsonSchema, hasStatus: boolean, path: string): FieldError[] {
  const errors = hasStatus ? validateBesideStatus(schema, path) : [];
  if (schema.nullable === true) errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  return errors;
}

/** Status is validated by `properties[status]` alone, so no keyword above may concern it. */
function validateBesideStatus(schema: JsonSchema, path: string): FieldError[] {
  const refused = Object.keys(schema).find((key) =>
    key === 'type' ? schema.type !== 'object' : !allowedAtRoot.has(key),
  );
  if (refused === undefined) return [];
  if (refused !== 'type') return [invalidPrinted(path, printSchema(schema), onlyTheseMessage)];
  const detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
  return [invalid(`${path}.type`, schema.type, detail)];
}

/** The Go names of the keywords, which the message lists. */
const allowedAtRoot: ReadonlyMap<string, string> = new Map([
  ['description', 'Description'],
  ['type', 'Type'],
  ['format', 'Format'],
  ['title', 'Title'],
  ['maximum', 'Maximum'],
  ['exclusiveMaximum', 'ExclusiveMaximum'],
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'ExclusiveMinimum'],
  ['maxLength', 'MaxLength'],
  ['minLength', 'MinLength'],
  ['pattern', 'Pattern'],
  ['maxItems', 'MaxItems'],
  ['minItems', 'MinItems'],
  ['uniqueItems', 'UniqueItems'],
  ['multipleOf', 'MultipleOf'],
  ['required', 'Required'],
  ['items', 'Items'],
  ['properties', 'Properties'],
  ['externalDocs', 'ExternalDocs'],
  ['example', 'Example'],
  ['x-kubernetes-preserve-unknown-fields', 'XPreserveUnknownFields'],
  ['x-kubernetes-validations', 'XValidations'],
]);

const allowedNames = [...allowedAtRoot.values()].join(' ');
const onlyTheseMessage = `only [${allowedNames}] fields are allowed at the root of the schema if the status subresource is enabled`;
