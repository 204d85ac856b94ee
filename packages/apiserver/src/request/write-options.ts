import { apiErrors, forbidden, notSupported, required, validateFieldManager, type FieldError } from '@flotilla/kube';
import type { Query } from './query.ts';

/** Dry run, field validation and field manager of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** As the client sent it; empty if it did not. */
  readonly requestedValidation: string;
  /** Empty if the client sent none. */
  readonly fieldManager: string;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Those of a client that sends none. */
export const plainOptions: WriteOptions = {
  dryRun: false,
  fieldValidation: 'Warn',
  requestedValidation: '',
  fieldManager: '',
};

export function writeOptions(kind: 'CreateOptions' | 'UpdateOptions', query: Query): WriteOptions {
  if (!query.has('dryRun') && !query.has('fieldManager') && !query.has('fieldValidation')) return plainOptions;
  refuse(kind, commonErrors(query));
  return optionsOf(query);
}

/** Server-side apply requires a field manager; only apply may be forced. */
export function patchOptions(query: Query, isApply: boolean): WriteOptions & { readonly force: boolean } {
  const force = query.flag('force');
  const errors: FieldError[] = [];
  if (isApply && !query.get('fieldManager')) errors.push(required('fieldManager', 'is required for apply patch'));
  if (!isApply && force !== undefined) errors.push(forbidden('force', 'may not be specified for non-apply patch'));
  refuse('PatchOptions', [...errors, ...commonErrors(query)]);
  return { ...optionsOf(query), force: force === true };
}

function optionsOf(query: Query): WriteOptions {
  const requestedValidation = (query.get('fieldValidation') ?? '') as FieldValidation | '';
  return {
    dryRun: query.all('dryRun').length > 0,
    fieldValidation: requestedValidation || 'Warn',
    requestedValidation,
    fieldManager: query.get('fieldManager') ?? '',
  };
}

function commonErrors(query: Query): FieldError[] {
  return [
    ...validateFieldManager(query.get('fieldManager') ?? '', 'fieldManager'),
    ...dryRunErrors(query),
    ...validationErrors(query),
  ];
}

function dryRunErrors(query: Query): FieldError[] {
  const values = query.all('dryRun');
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', [...values], ['All'])];
}

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];

function validationErrors(query: Query): FieldError[] {
  const value = query.get('fieldValidation') ?? '';
  return fieldValidations.includes(value) ? [] : [notSupported('fieldValidation', value, fieldValidations)];
}

export function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw apiErrors.invalid({ kind, group: 'meta.k8s.io' }, '', errors);
}
