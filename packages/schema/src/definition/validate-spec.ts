import { invalid, pushAll, required, type FieldError } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { someSchema } from '../structural/schema-walk.ts';
import { validateConversion } from './conversion.ts';
import type { DefinitionSpec } from './custom-resource-definition.ts';
import { validateGroup, validateRequestedNames, validateScope } from './names.ts';
import { hoisted, type HoistedDefinition } from './hoisted-definition.ts';
import { distinctSchemas, type Strictness } from './strictness.ts';
import type { SchemaChecks } from './schemas/validate-schema.ts';
import { validateShared, validateVersions } from './versions.ts';

export function validateSpec(spec: DefinitionSpec, rules: Strictness, checks: SchemaChecks): FieldError[] {
  const preserves = spec.preserveUnknownFields === true;
  const strictness = { ...rules, structural: rules.structural || !preserves || hasSchemaWith(spec, needsStructure) };
  const definition = hoisted(spec);
  const errors = [...validateGroup(spec.group), ...validateScope(spec.scope)];
  pushAll(errors, validateSchemaPresence(definition, rules.schemaInEachVersion, preserves));
  if (preserves && hasSchemaWith(spec, hasDefault)) {
    const detail = 'must be false in order to use defaults in the schema';
    errors.push(invalid('spec.preserveUnknownFields', true, detail));
  }
  pushAll(errors, validateVersions(definition, strictness, checks));
  pushAll(errors, validateRequestedNames(spec.names));
  pushAll(errors, validateShared(definition, strictness, checks));
  pushAll(errors, validateConversionStrategy(spec, strictness));
  return errors;
}

/** If all versions had schemas, they must keep them. Otherwise only versions that are served and prune need one. */
function validateSchemaPresence(
  { shared, versions }: HoistedDefinition,
  inEachVersion: boolean,
  preserves: boolean,
): FieldError[] {
  if (shared.schema?.openAPIV3Schema !== undefined) return [];
  return versions.flatMap(({ schema, served }, i) => {
    if (schema?.openAPIV3Schema !== undefined) return [];
    const path = `spec.versions[${i}].schema.openAPIV3Schema`;
    if (inEachVersion) return [required(path)];
    return preserves || !served ? [] : [required(path, 'because otherwise all fields are pruned')];
  });
}

function validateConversionStrategy(spec: DefinitionSpec, strictness: Strictness): FieldError[] {
  const { conversion, preserveUnknownFields } = spec;
  if (conversion === undefined) return [];
  const errors = validateConversion(conversion, strictness);
  if (preserveUnknownFields !== true || conversion.strategy === 'None') return errors;
  const detail = 'must be None if spec.preserveUnknownFields is true';
  return [invalid('spec.conversion.strategy', conversion.strategy, detail), ...errors];
}

function hasSchemaWith(spec: DefinitionSpec, holds: (schema: JsonSchema) => boolean): boolean {
  return distinctSchemas(spec).some((schema) => someSchema(schema, holds));
}

function hasDefault(schema: JsonSchema): boolean {
  return schema.default !== undefined;
}

/** Defaults and Kubernetes' own keywords need a structural schema. */
function needsStructure(schema: JsonSchema): boolean {
  return hasDefault(schema) || extensionKeywords.some((keyword) => schema[keyword] !== undefined);
}

const extensionKeywords = [
  'x-kubernetes-embedded-resource',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-validations',
] as const;
