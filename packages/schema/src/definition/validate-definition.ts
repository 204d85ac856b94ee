/** Validates a CustomResourceDefinition. */
import {
  compareBytes,
  forbidden,
  invalid,
  nameIsDnsSubdomain,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type FieldError,
  type JsonValue,
} from '@flotilla/kube';
import { isTooDeep, maxSchemaDepth } from '../structural/schema-walk.ts';
import { validateApproval } from './api-approval.ts';
import { isConditionTrue } from './conditions.ts';
import type {
  CustomResourceDefinition,
  DefinitionSpec,
  DefinitionStatus,
  DefinitionVersion,
} from './custom-resource-definition.ts';
import { validateNames } from './names.ts';
import type { SchemaChecks } from './schemas/validate-schema.ts';
import { strictest, strictnessAfter } from './strictness.ts';
import { validateSpec } from './validate-spec.ts';

export function validateDefinition(definition: CustomResourceDefinition, checks: SchemaChecks): FieldError[] {
  const { metadata, spec } = definition;
  const tooDeep = validateDepth(spec);
  if (tooDeep.length > 0) return tooDeep;
  return [
    ...validateObjectMeta(metadata, {
      isNamespaced: false,
      allowsShortFinalizers: true,
      nameRule: (name, isPrefix) => nameProblems(name, isPrefix, spec),
    }),
    ...validateSpec(spec, strictest, checks),
    ...validateStatusAndStoredVersions(definition),
    ...validateApproval(definition, undefined),
    ...validatePreserveUnknownFields(spec, undefined),
  ];
}

export function validateDefinitionUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  checks: SchemaChecks,
): FieldError[] {
  const { metadata, spec } = definition;
  const tooDeep = validateDepth(spec);
  if (tooDeep.length > 0) return tooDeep;
  return [
    ...validateObjectMetaUpdate(metadata, old.metadata),
    ...validateSpec(spec, strictnessAfter(old, definition), checks),
    ...validateUnchanged(spec, old),
    ...validateStatusAndStoredVersions(definition),
    ...validateApproval(definition, old),
    ...validatePreserveUnknownFields(spec, old.spec),
  ];
}

/** The spec is the old one, and was valid. */
export function validateDefinitionStatusUpdate(
  { metadata, status }: CustomResourceDefinition,
  old: CustomResourceDefinition,
): FieldError[] {
  return [...validateObjectMetaUpdate(metadata, old.metadata), ...validateStatus(status)];
}

function nameProblems(name: string, isPrefix: boolean, { names, group }: DefinitionSpec): string[] {
  const problems = [...nameIsDnsSubdomain(name, isPrefix)];
  if (name !== `${names.plural}.${group}`) problems.push('must be spec.names.plural+"."+spec.group');
  return problems;
}

function validateDepth({ versions }: DefinitionSpec): FieldError[] {
  return (versions ?? []).flatMap(({ schema }, i) => {
    if (schema?.openAPIV3Schema === undefined || !isTooDeep(schema.openAPIV3Schema)) return [];
    const detail = `must not be more than ${maxSchemaDepth} levels deep`;
    return [forbidden(`spec.versions[${i}].schema.openAPIV3Schema`, detail)];
  });
}

/** Group and plural are immutable from the start, scope and kind once there may be objects. */
function validateUnchanged(spec: DefinitionSpec, old: CustomResourceDefinition): FieldError[] {
  const isEstablished = isConditionTrue(old, 'Established');
  return [
    ...(isEstablished ? immutable(spec.scope, old.spec.scope, 'spec.scope') : []),
    ...(isEstablished ? immutable(spec.names.kind, old.spec.names.kind, 'spec.names.kind') : []),
    ...immutable(spec.group, old.spec.group, 'spec.group'),
    ...immutable(spec.names.plural, old.spec.names.plural, 'spec.names.plural'),
  ];
}

function immutable(value: JsonValue, old: JsonValue, path: string): FieldError[] {
  return value === old ? [] : [invalid(path, value, 'field is immutable')];
}

function validateStatusAndStoredVersions({ spec, status }: CustomResourceDefinition): FieldError[] {
  return [...validateStatus(status), ...validateStoredVersions(status?.storedVersions, spec.versions ?? [])];
}

function validateStatus(status: DefinitionStatus | undefined): FieldError[] {
  return status?.acceptedNames === undefined ? [] : validateNames(status.acceptedNames, 'status.acceptedNames');
}

function validatePreserveUnknownFields(spec: DefinitionSpec, old: DefinitionSpec | undefined): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.preserveUnknownFields === true) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, detail)];
}

const storedVersionsPath = 'status.storedVersions';

/** Objects may be stored in any version that was ever the storage version, so none of these may be removed. */
function validateStoredVersions(
  stored: readonly string[] | null | undefined,
  versions: readonly DefinitionVersion[],
): FieldError[] {
  if (!stored?.length) return [invalid(storedVersionsPath, stored && [], 'must have at least one stored version')];
  // Each stored version is matched once: the second version of the same name has none.
  const unseen = new Set(stored);
  const lacking = versions.filter(({ name, storage }) => !unseen.delete(name) && storage);
  const lost = [...unseen].sort(compareBytes);
  return [
    ...lacking.map(({ name }) => invalid(storedVersionsPath, [...stored], `must have the storage version ${name}`)),
    ...lost.map((name) => invalid(`${storedVersionsPath}[${stored.lastIndexOf(name)}]`, name, mustRemain(name))),
  ];
}

function mustRemain(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}
