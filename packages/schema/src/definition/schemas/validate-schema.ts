import { withoutEmptyKeywords } from './empty-keywords.ts';
import { invalid, pushAll, type FieldError } from '@flotilla/kube';
import type { JsonSchema } from '../../json-schema.ts';
import { someSchema } from '../../structural/schema-walk.ts';
import { validateStructural } from '../../structural/structural-rules.ts';
import { unsupportedKeyword } from '../../structural/unsupported-keyword.ts';
import type { ReadMetadata } from '../../value/embedded-metadata.ts';
import { validateRootSchema } from './root-schema.ts';
import { RuleScope } from '../rules/rule-scope.ts';
import { validateSchemaDefaults } from './schema-defaults.ts';
import { checkSchema } from './schema-keywords.ts';
import type { Strictness } from '../strictness.ts';

/** What checking schemas needs of the server. */
export interface SchemaChecks {
  readonly readMetadata: ReadMetadata;
}

interface SchemaPlace {
  readonly path: string;
  readonly hasStatus: boolean;
  /** Its rules were accepted when limits were others. */
  readonly mayCostTooMuch: boolean;
}

export function validateSchema(
  given: JsonSchema,
  { path, hasStatus, mayCostTooMuch }: SchemaPlace,
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
  // Usually somebody said it with its place already.
  if (errors.length === 0 && unsupported !== undefined) errors.push(invalid(path, '', unsupported));
  if (scope !== undefined) pushAll(errors, scope.total.errors(path));
  return errors;
}

function hasRules(schema: JsonSchema): boolean {
  return schema['x-kubernetes-validations'] !== undefined;
}

/** Defaults are looked at only in a schema that is structural. */
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
