import type { KindBehavior, SubresourceBehavior, WriteContext } from '@flotilla/builtins';
import {
  apiErrors,
  compareBytes,
  invalid,
  jsonEquals,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  nextGeneration,
  qualifiedNameProblems,
  quote,
  standardFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type FieldError,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import type { CompiledSchema, DefinitionVersion, ValidationContext, Validation } from '@flotilla/schema';
import { CostAllowance } from '../../resources/cost-allowance.ts';
import { splitApiVersion } from '../../resources/builtin-resource.ts';
import { scaleSpecErrors, scaleStatusErrors } from './custom-scale.ts';
import { printerColumnsOf } from './printer-columns.ts';
import { selectableFieldsOf } from './selectable-fields.ts';

interface CustomBehaviorOptions {
  readonly group: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly version: DefinitionVersion;
  readonly schema: CompiledSchema;
  /** Uses the kind and version of the object, which a patch may have changed. */
  readonly setDefaults: (object: KubeObject) => void;
  readonly deprecation: string | undefined;
}

/** The behaviour of Kubernetes for objects of one version of a definition. */
export function customBehavior(options: CustomBehaviorOptions): KindBehavior {
  const { group, kind, version, deprecation } = options;
  const hasStatus = version.subresources?.status !== undefined;
  const fields = selectableFieldsOf(version);
  return {
    group,
    version: version.name,
    kind,
    checksMetadata: true,
    requiresResourceVersion: true,
    ...(deprecation !== undefined && { deprecation }),
    setDefaults: options.setDefaults,
    prepareForCreate(object) {
      if (hasStatus) delete object['status'];
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old) {
      if (hasStatus) keepStatus(object, old);
      if (!isSameButMetadata(object, old)) object.metadata.generation = nextGeneration(old.metadata);
    },
    validate: (object, context) =>
      checked(options, {
        object,
        old: undefined,
        context,
        scaleErrors: bothScaleErrors,
        validate: (others) => options.schema.validate(object, others),
      }),
    validateUpdate: (object, old, context) =>
      checked(options, {
        object,
        old,
        context,
        scaleErrors: bothScaleErrors,
        validate: (others) => options.schema.validateUpdate(object, old, others),
      }),
    warnings: finalizerWarnings,
    columns: printerColumnsOf(version),
    fieldLabels: fields.labels,
    ...(fields.labels.length > 0 && { selectableFields: fields.valuesOf }),
    ...(hasStatus && { resetFields: [['status']], subresources: { status: statusBehavior(options) } }),
  };
}

/** The status endpoint writes only the status. */
function statusBehavior(options: CustomBehaviorOptions): SubresourceBehavior {
  return {
    prepareForUpdate(object, old) {
      const { status, metadata } = object;
      for (const field of Object.keys(object)) delete object[field];
      Object.assign(object, old, { metadata: { ...old.metadata } });
      if (metadata.managedFields) object.metadata.managedFields = metadata.managedFields;
      else delete object.metadata.managedFields;
      if (status === undefined) delete object['status'];
      else object['status'] = status;
    },
    validateUpdate: (object, old, context) =>
      checked(options, {
        object,
        old,
        context,
        scaleErrors: scaleStatusErrors,
        validate: (others) => options.schema.validateStatusUpdate(object, old, others),
      }),
    resetFields: [['metadata'], ['spec']],
  };
}

type ScaleErrors = typeof scaleStatusErrors;

const bothScaleErrors: ScaleErrors = (object, paths) => [
  ...scaleSpecErrors(object, paths),
  ...scaleStatusErrors(object, paths),
];

interface Checks {
  readonly object: KubeObject;
  /** Undefined for a new object. */
  readonly old: KubeObject | undefined;
  readonly context: WriteContext;
  readonly scaleErrors: ScaleErrors;
  /** Validates the object against the schema. */
  readonly validate: (others: ValidationContext) => Validation;
}

function checked(
  options: CustomBehaviorOptions,
  { object, old, context, scaleErrors, validate }: Checks,
): FieldError[] {
  refuseOtherKind(options, object);
  const { scale: paths } = options.version.subresources ?? {};
  const metadata = metadataErrors(options, object, old);
  const { errors, warnings } = validate({
    metadata,
    ...(paths && { scale: scaleErrors(object, paths) }),
    evaluator: () => new CostAllowance(context),
  });
  for (const warning of warnings) context.warn?.(warning);
  return errors;
}

/** Kubernetes validates the metadata of an update twice, but not the format of the name. */
function metadataErrors({ isNamespaced }: CustomBehaviorOptions, object: KubeObject, old?: KubeObject): FieldError[] {
  const { metadata } = object;
  const nameRule = old ? nameIsPathSegment : nameIsDnsSubdomain;
  const errors = validateObjectMeta(metadata, { isNamespaced, nameRule, allowsShortFinalizers: true });
  if (!old) return errors;
  const changes = validateObjectMetaUpdate(metadata, old.metadata, { isValid: errors.length === 0 });
  return [...errors, ...changes, ...changes];
}

/** An object of another kind is refused with an error about that kind, and no other errors. */
function refuseOtherKind({ group, kind, version }: CustomBehaviorOptions, object: KubeObject): void {
  const apiVersion = `${group}/${version.name}`;
  const errors: FieldError[] = [];
  if (object.kind !== kind) errors.push(invalid('kind', object.kind, `must be ${kind}`));
  if (object.apiVersion !== apiVersion) errors.push(invalid('apiVersion', object.apiVersion, `must be ${apiVersion}`));
  if (errors.length === 0) return;
  const { group: otherGroup } = splitApiVersion(object.apiVersion);
  throw apiErrors.invalid({ kind: object.kind, group: otherGroup }, object.metadata.name ?? '', errors);
}

function keepStatus(object: KubeObject, old: KubeObject): void {
  if (old['status'] === undefined) delete object['status'];
  else object['status'] = old['status'];
}

function isSameButMetadata(object: KubeObject, old: KubeObject): boolean {
  return jsonEquals(withoutMetadata(object), withoutMetadata(old));
}

function withoutMetadata({ metadata: _metadata, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Warns of added finalizers that may collide with those of other writers. */
function finalizerWarnings({ metadata }: KubeObject, old: KubeObject | undefined): string[] {
  if (!metadata.finalizers) return [];
  const before = new Set(old?.metadata.finalizers);
  const added = new Set(metadata.finalizers.filter((name) => !before.has(name)));
  return [...added]
    .sort(compareBytes)
    .flatMap((name) => warningsForFinalizer(name).map((text) => `metadata.finalizers: ${quote(name)}: ${text}`));
}

function warningsForFinalizer(name: string): string[] {
  const problems = qualifiedNameProblems(name);
  if (name.includes('/') || standardFinalizers.has(name)) return [...problems];
  const how = name.includes('.') ? ' including a path (/)' : '';
  const advice = `prefer a domain-qualified finalizer name${how} to avoid accidental conflicts with other finalizer writers`;
  return [...problems, advice];
}
