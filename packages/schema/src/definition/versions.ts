/** Validates the versions of a definition, and the fields that they share. */
import { byteLength, goJson, invalid, pushAll, required, type FieldError } from '@flotilla/kube';
import { unsupportedKeyword } from '../structural/structural-keywords.ts';
import type { DefinitionVersion, PrinterColumn, ScalePaths } from './custom-resource-definition.ts';
import type { HoistedDefinition } from './hoisted-definition.ts';
import { validateLabel } from './names.ts';
import { invalidPrinted, printVersions } from './schemas/internal-form.ts';
import { validateSchema, type SchemaChecks } from './schemas/validate-schema.ts';
import { validateSelectableFields, type SelectableFields } from './selectable-fields.ts';
import type { Strictness } from './strictness.ts';

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

/** Validates the top-level fields of Kubernetes' internal form. */
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
    const context = { path, hasStatus: hasAnyStatus, mayCostTooMuch };
    pushAll(errors, validateSchema(schema.openAPIV3Schema, context, strictness, checks));
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
    const context = { path: `${path}.schema.openAPIV3Schema`, hasStatus: withStatus, mayCostTooMuch };
    pushAll(errors, validateSchema(schema.openAPIV3Schema, context, strictness, checks));
  }
  pushAll(errors, validateSubresources(subresources, `${path}.subresources`));
  pushAll(errors, validateColumns(additionalPrinterColumns, `${path}.additionalPrinterColumns`));
  const context = { path, withoutSchema: 'may only be set when `version.schema.openAPIV3Schema` is not included' };
  pushAll(errors, validateSelection(selectableFields, schema, context, strictness.manySelectableFields.has(name)));
  return errors;
}

/** The internal form repeats the name of the first version, a relic of definitions with one version. */
function validateOldVersion(name: string): FieldError[] {
  return name === '' ? [] : validateLabel(name, 'spec.version');
}

/**
 * Whether a version has a status: by its own subresources if they differ, otherwise by the shared ones. Of two versions
 * with one name the first counts.
 */
function statusByVersion({ shared, versions }: HoistedDefinition): (version: DefinitionVersion) => boolean {
  const areShared = versions.every(({ subresources }) => subresources === undefined);
  if (areShared) return () => shared.subresources?.status !== undefined;
  const firstOfName = new Map(versions.map((version) => [version.name, version] as const).reverse());
  return ({ name }) => firstOfName.get(name)?.subresources?.status !== undefined;
}

interface SelectionContext {
  readonly path: string;
  readonly withoutSchema: string;
}

const sharedSelection: SelectionContext = {
  path: 'spec',
  withoutSchema: 'may only be set when validations.schema is included',
};

function validateSelection(
  fields: SelectableFields,
  schema: DefinitionVersion['schema'],
  { path, withoutSchema }: SelectionContext,
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

const maxWarningBytes = 256;

/** Go's `unicode.IsPrint` accepts letters, marks, numbers, punctuation, symbols and the ASCII space. */
const notPrintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

function validateDeprecationWarning(version: DefinitionVersion, path: string): FieldError[] {
  const { deprecated = false, deprecationWarning: warning } = version;
  if (warning === undefined) return [];
  const problems = deprecated ? warningProblems(warning) : ['can only be set for deprecated versions'];
  return problems.map((problem) => invalidPrinted(`${path}.deprecationWarning`, goJson(warning), problem));
}

function warningProblems(warning: string): string[] {
  const problems: string[] = [];
  if (byteLength(warning) > maxWarningBytes) problems.push(`must be <= ${maxWarningBytes} characters long`);
  if (warning === '') problems.push('must not be an empty string');
  const odd = warning.search(notPrintable);
  if (odd !== -1) {
    const index = byteLength(warning.slice(0, odd));
    const rule = 'must only contain printable UTF-8 characters';
    problems.push(`${rule}; non-printable character found at index ${index}`);
  }
  return problems;
}

const columnTypes: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats: readonly string[] = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function validateColumns(columns: readonly PrinterColumn[], path: string): FieldError[] {
  return columns.flatMap((column, i) => validateColumn(column, `${path}[${i}]`));
}

function validateColumn({ name, type, format = '', jsonPath }: PrinterColumn, path: string): FieldError[] {
  return [
    ...(name === '' ? [required(`${path}.name`)] : []),
    ...validateType(type, `${path}.type`),
    ...(format === '' ? [] : validateOneOf(format, columnFormats, `${path}.format`)),
    // The path has Go's spelling.
    ...validateJsonPath(jsonPath, `${path}.JSONPath`),
  ];
}

function validateType(type: string, path: string): FieldError[] {
  return type === ''
    ? [required(path, `must be one of ${columnTypes.join(',')}`)]
    : validateOneOf(type, columnTypes, path);
}

function validateOneOf(value: string, choices: readonly string[], path: string): FieldError[] {
  return choices.includes(value) ? [] : [invalid(path, value, `must be one of ${choices.join(',')}`)];
}

function validateJsonPath(jsonPath: string, path: string): FieldError[] {
  if (jsonPath === '') return [required(path)];
  const problem = dotPathProblem(jsonPath);
  return problem === undefined ? [] : [invalid(path, jsonPath, problem)];
}

function validateSubresources(subresources: DefinitionVersion['subresources'], path: string): FieldError[] {
  return subresources?.scale === undefined ? [] : validateScale(subresources.scale, `${path}.scale`);
}

function validateScale(paths: ScalePaths, path: string): FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = paths;
  return [
    ...validatePath(specReplicasPath, ['.spec'], `${path}.specReplicasPath`),
    ...validatePath(statusReplicasPath, ['.status'], `${path}.statusReplicasPath`),
    ...(labelSelectorPath === ''
      ? []
      : validatePath(labelSelectorPath, ['.spec', '.status'], `${path}.labelSelectorPath`)),
  ];
}

function validatePath(value: string, roots: readonly string[], path: string): FieldError[] {
  if (value === '') return [required(path)];
  const problem = dotPathProblem(value) ?? rootProblem(value, roots);
  return problem === undefined ? [] : [invalid(path, value, problem)];
}

function rootProblem(value: string, roots: readonly string[]): string | undefined {
  if (roots.some((root) => value.startsWith(`${root}.`))) return undefined;
  return `should be a json path under ${roots.length === 1 ? '' : 'either '}${roots.join(' or ')}`;
}

/** Kubernetes checks only how the path of a column or scale begins. The rest fails when it is used. */
function dotPathProblem(path: string): string | undefined {
  return path.startsWith('.') ? undefined : 'must be a simple json path starting with .';
}
