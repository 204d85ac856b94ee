/** The versions of a definition, and what they share. */
import { invalid, pushAll, type FieldError } from '@flotilla/kube';
import { unsupportedKeyword } from '../structural/unsupported-keyword.ts';
import type { DefinitionVersion } from './custom-resource-definition.ts';
import { validateDeprecationWarning } from './deprecation-warning.ts';
import type { HoistedDefinition } from './hoisted-definition.ts';
import { invalidPrinted, printVersions } from './schemas/internal-form.ts';
import { validateLabel } from './names.ts';
import { validateColumns } from './printer-columns.ts';
import { validateSubresources } from './scale-paths.ts';
import { validateSelectableFields, type SelectableFields } from './selectable-fields.ts';
import type { Strictness } from './strictness.ts';
import { validateSchema, type SchemaChecks } from './schemas/validate-schema.ts';

export function validateVersions(
  definition: HoistedDefinition,
  strictness: Strictness,
  checks: SchemaChecks,
): FieldError[] {
  const { versions } = definition;
  const errors: FieldError[] = [];
  const hasStatus = statusByVersion(definition);
  versions.forEach((version, i) => {
    const path = `spec.versions[${i}]`;
    pushAll(errors, validateLabel(version.name, `${path}.name`));
    pushAll(errors, validateVersion(version, hasStatus(version), path, strictness, checks));
  });
  const names = new Set(versions.map(({ name }) => name));
  if (names.size < versions.length) errors.push(wrongVersions(definition, 'must contain unique version names'));
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(wrongVersions(definition, 'must have exactly one version marked as storage version'));
  }
  pushAll(errors, validateOldVersion(versions[0]?.name ?? ''));
  return errors;
}

/** What stands above all versions in Kubernetes' internal form. */
export function validateShared(
  { shared, versions }: HoistedDefinition,
  strictness: Strictness,
  checks: SchemaChecks,
): FieldError[] {
  const { schema, subresources, additionalPrinterColumns = [], selectableFields = [] } = shared;
  const errors: FieldError[] = [];
  if (schema?.openAPIV3Schema !== undefined) {
    const hasAnyStatus = [shared, ...versions].some((one) => one.subresources?.status !== undefined);
    const mayCostTooMuch = strictness.costlyRules.has(versions[0]?.name ?? '');
    const path = 'spec.validation.openAPIV3Schema';
    const place = { path, hasStatus: hasAnyStatus, mayCostTooMuch };
    pushAll(errors, validateSchema(schema.openAPIV3Schema, place, strictness, checks));
  }
  pushAll(errors, validateSubresources(subresources, 'spec.subresources'));
  pushAll(errors, validateColumns(additionalPrinterColumns, 'spec.additionalPrinterColumns'));
  pushAll(
    errors,
    validateSelection(selectableFields, schema, sharedSelection, strictness.manySelectableFields.has('')),
  );
  return errors;
}

function validateVersion(
  version: DefinitionVersion,
  withStatus: boolean,
  path: string,
  strictness: Strictness,
  checks: SchemaChecks,
): FieldError[] {
  const { name, schema, subresources, additionalPrinterColumns = [], selectableFields = [] } = version;
  const errors = validateDeprecationWarning(version, path);
  if (schema?.openAPIV3Schema !== undefined) {
    const mayCostTooMuch = strictness.costlyRules.has(name);
    const place = { path: `${path}.schema.openAPIV3Schema`, hasStatus: withStatus, mayCostTooMuch };
    pushAll(errors, validateSchema(schema.openAPIV3Schema, place, strictness, checks));
  }
  pushAll(errors, validateSubresources(subresources, `${path}.subresources`));
  pushAll(errors, validateColumns(additionalPrinterColumns, `${path}.additionalPrinterColumns`));
  const place = { path, withoutSchema: 'may only be set when `version.schema.openAPIV3Schema` is not included' };
  pushAll(errors, validateSelection(selectableFields, schema, place, strictness.manySelectableFields.has(name)));
  return errors;
}

/** The internal form has the name of the first version a second time, from when there was only one. */
function validateOldVersion(name: string): FieldError[] {
  return name === '' ? [] : validateLabel(name, 'spec.version');
}

/** Status of a version: its own where subresources differ, otherwise that of all. Twins count as the first of them. */
function statusByVersion({ shared, versions }: HoistedDefinition): (version: DefinitionVersion) => boolean {
  const areShared = versions.every(({ subresources }) => subresources === undefined);
  if (areShared) return () => shared.subresources?.status !== undefined;
  const firstOfName = new Map(versions.map((version) => [version.name, version] as const).reverse());
  return ({ name }) => firstOfName.get(name)?.subresources?.status !== undefined;
}

interface SelectionPlace {
  readonly path: string;
  readonly withoutSchema: string;
}

const sharedSelection: SelectionPlace = {
  path: 'spec',
  withoutSchema: 'may only be set when validations.schema is included',
};

function validateSelection(
  fields: SelectableFields,
  schema: DefinitionVersion['schema'],
  { path, withoutSchema }: SelectionPlace,
  mayBeTooMany: boolean,
): FieldError[] {
  if (fields.length === 0) return [];
  const root = schema?.openAPIV3Schema;
  if (root === undefined) return [invalid(`${path}.selectableFields`, '', withoutSchema)];
  const problem = unsupportedKeyword(root);
  if (problem !== undefined) return [invalid(`${path}.schema.openAPIV3Schema`, '', problem)];
  return validateSelectableFields(fields, root, `${path}.selectableFields`, { mayBeTooMany });
}

function wrongVersions({ versions, isMissing }: HoistedDefinition, detail: string): FieldError {
  return invalidPrinted('spec.versions', isMissing ? 'null' : printVersions(versions), detail);
}
