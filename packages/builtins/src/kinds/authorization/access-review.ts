/** Access reviews. They are answered, not stored, so they have no metadata. */
import {
  forbidden,
  invalid,
  labelValueProblems,
  pushAll,
  qualifiedNameProblems,
  required,
  type FieldError,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';

export interface AccessReviewSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: SelectorAttributes;
  readonly labelSelector?: SelectorAttributes;
}

export interface SelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly SelectorRequirement[];
}

export const accessReviewKinds: readonly KindBehavior[] = [
  review('SubjectAccessReview', (object) => [
    ...specErrors(object),
    ...subjectErrors(object),
    ...selectorErrors(object),
    ...metadataErrors(object),
  ]),
  review('SelfSubjectAccessReview', (object) => [
    ...specErrors(object),
    ...selectorErrors(object),
    ...metadataErrors(object),
  ]),
  review('LocalSubjectAccessReview', (object) => [
    ...specErrors(object),
    ...subjectErrors(object),
    ...selectorErrors(object),
    ...localErrors(object),
  ]),
];

function review(kind: string, validate: (object: KubeObject) => FieldError[]): KindBehavior {
  return { group: 'authorization.k8s.io', version: 'v1', kind, checksMetadata: true, validate };
}

export function accessReviewSpec(object: KubeObject): AccessReviewSpec {
  return (object['spec'] as AccessReviewSpec | undefined) ?? {};
}

function specErrors(object: KubeObject): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = accessReviewSpec(object);
  if (resourceAttributes && nonResourceAttributes) {
    const why = 'cannot be specified in combination with resourceAttributes';
    return [invalid('spec.nonResourceAttributes', inGo(nonResourceAttributes), why)];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid('spec.resourceAttributes', null, why)];
}

/** Errors print the value with the names of Go's fields. */
function inGo({ path = '', verb = '' }: NonNullable<AccessReviewSpec['nonResourceAttributes']>): JsonObject {
  return { Path: path, Verb: verb };
}

function subjectErrors(object: KubeObject): FieldError[] {
  const { user = '', groups = [] } = accessReviewSpec(object);
  if (user !== '' || groups.length > 0) return [];
  return [invalid('spec.user', user, 'at least one of user or group must be specified')];
}

function selectorErrors(object: KubeObject): FieldError[] {
  const { fieldSelector, labelSelector } = accessReviewSpec(object).resourceAttributes ?? {};
  const path = 'spec.resourceAttributes';
  return [
    ...oneSelectorErrors(fieldSelector, `${path}.fieldSelector`, validateFieldRequirement),
    ...oneSelectorErrors(labelSelector, `${path}.labelSelector`, validateLabelRequirement),
  ];
}

function oneSelectorErrors(
  selector: SelectorAttributes | undefined,
  path: string,
  validate: (requirement: SelectorRequirement, path: string) => FieldError[],
): FieldError[] {
  if (!selector) return [];
  const { rawSelector = '', requirements = [] } = selector;
  const errors: FieldError[] = [];
  if (rawSelector !== '' && requirements.length > 0) {
    errors.push(invalid(`${path}.rawSelector`, rawSelector, 'may not specified at the same time as requirements'));
  }
  if (rawSelector === '' && requirements.length === 0) {
    errors.push(required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`));
  }
  for (const [index, requirement] of requirements.entries()) {
    pushAll(errors, validate(requirement, `${path}.requirements[${index}]`));
  }
  return errors;
}

/** Managed fields are recorded before validation, so they do not count. */
function metadataErrors({ metadata }: KubeObject): FieldError[] {
  const { managedFields: _managers, ...others } = metadata;
  return Object.keys(others).length === 0 ? [] : [invalid('metadata', metadata, 'must be empty')];
}

function localErrors(object: KubeObject): FieldError[] {
  const { metadata } = object;
  const { managedFields: _managers, namespace = '', ...others } = metadata;
  const { resourceAttributes, nonResourceAttributes } = accessReviewSpec(object);
  const errors: FieldError[] = [];
  if (Object.keys(others).length > 0) errors.push(invalid('metadata', metadata, 'must be empty except for namespace'));
  const asked = resourceAttributes?.namespace ?? '';
  if (resourceAttributes && asked !== namespace) {
    errors.push(invalid('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace'));
  }
  if (nonResourceAttributes) {
    errors.push(
      invalid('spec.nonResourceAttributes', inGo(nonResourceAttributes), 'disallowed on this kind of request'),
    );
  }
  return errors;
}

interface SelectorRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** Unknown operators are accepted: they may come from newer clients. */
function validateFieldRequirement(requirement: SelectorRequirement, path: string): FieldError[] {
  const errors = requirement.key ? [] : [required(`${path}.key`, 'must be specified')];
  return [...errors, ...valueCountErrors(requirement, path)];
}

function validateLabelRequirement(requirement: SelectorRequirement, path: string): FieldError[] {
  const { key = '', values = [] } = requirement;
  return [
    ...valueCountErrors(requirement, path),
    ...qualifiedNameProblems(key).map((problem) => invalid(`${path}.key`, key, problem)),
    ...values.flatMap((value, index) =>
      labelValueProblems(value).map((problem) => invalid(`${path}.values[${index}]`, value, problem)),
    ),
  ];
}

function valueCountErrors({ operator, values = [] }: SelectorRequirement, path: string): FieldError[] {
  const field = `${path}.values`;
  const isAboutValues = operator === 'In' || operator === 'NotIn';
  const isAboutPresence = operator === 'Exists' || operator === 'DoesNotExist';
  if (isAboutValues && values.length === 0) {
    return [required(field, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (isAboutPresence && values.length > 0) {
    return [forbidden(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  return [];
}
