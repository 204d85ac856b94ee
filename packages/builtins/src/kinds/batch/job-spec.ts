/** Defaults and validation of a job's spec, in jobs and in the templates of cron jobs. */
import {
  invalid,
  notSupported,
  pushAll,
  required,
  tooLong,
  validateDomainPrefixedPath,
  type FieldError,
} from '@flotilla/kube';
import { invalidInternal } from '../core-pods/internal/internal-form.ts';
import { setTemplateDefaultsOf } from '../core-pods/pod-defaults.ts';
import { checkNotNegative, checkSupported } from '../core-pods/pod-validation/checks.ts';
import { checkPodTemplate } from '../core-pods/pod-validation/pod.ts';
import { templateWarnings } from '../core-pods/pod-warnings.ts';
import type { JobSpec } from './job-fields.ts';
import { checkPodFailurePolicy, checkSuccessPolicy } from './pod-policies.ts';

const maxParallelism = 100_000;
const maxFailedIndexes = 100_000;
const manyCompletions = 100_000;
const maxForMany = 10_000;
const maxManagedByLength = 63;

/** The defaults that job templates get too: for failure policies, and those of pods. */
export function setJobTemplateDefaults(spec: JobSpec): void {
  for (const { onPodConditions } of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of onPodConditions ?? []) pattern.status ||= 'True';
  }
  setTemplateDefaultsOf(spec);
}

const notNegative = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

export function checkJobSpec(errors: FieldError[], path: string, spec: JobSpec): void {
  for (const field of notNegative) checkNotNegative(errors, `${path}.${field}`, spec[field]);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  if (spec.managedBy !== undefined) {
    pushAll(errors, validateDomainPrefixedPath(`${path}.managedBy`, spec.managedBy));
    if (spec.managedBy.length > maxManagedByLength) errors.push(tooLong(`${path}.managedBy`, maxManagedByLength));
  }
  checkCompletionMode(errors, path, spec);
  if (spec.podFailurePolicy !== undefined) checkPodFailurePolicy(errors, `${path}.podFailurePolicy.rules`, spec);
  if (spec.successPolicy !== undefined) {
    if (isIndexed(spec)) checkSuccessPolicy(errors, `${path}.successPolicy.rules`, spec);
    else {
      const detail = 'requires indexed completion mode';
      errors.push(invalidInternal(`${path}.successPolicy`, 'SuccessPolicy', spec.successPolicy, detail));
    }
  }
  checkReplacementPolicy(errors, `${path}.podReplacementPolicy`, spec);
  checkPodTemplate(errors, `${path}.template`, spec.template);
  checkTerminates(errors, `${path}.template.spec.restartPolicy`, spec);
}

export function isIndexed({ completionMode }: JobSpec): boolean {
  return completionMode === 'Indexed';
}

function checkCompletionMode(errors: FieldError[], path: string, spec: JobSpec): void {
  const { completionMode = 'NonIndexed' } = spec;
  if (isIndexed(spec)) return checkIndexed(errors, path, spec);
  if (completionMode !== 'NonIndexed') {
    return void errors.push(notSupported(`${path}.completionMode`, completionMode, ['NonIndexed', 'Indexed']));
  }
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
    const value = spec[field];
    if (value !== undefined) errors.push(invalid(`${path}.${field}`, value, 'requires indexed completion mode'));
  }
}

function checkIndexed(errors: FieldError[], path: string, spec: JobSpec): void {
  const { completions, parallelism = 0, maxFailedIndexes: failures, backoffLimitPerIndex } = spec;
  if (completions === undefined) errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  if (parallelism > maxParallelism) {
    const detail = `must be less than or equal to ${maxParallelism} when completion mode is Indexed`;
    errors.push(invalid(`${path}.parallelism`, parallelism, detail));
  }
  if (completions !== undefined && failures !== undefined && failures > completions) {
    errors.push(invalid(`${path}.maxFailedIndexes`, failures, 'must be less than or equal to completions'));
  }
  if (failures !== undefined && failures > maxFailedIndexes) {
    errors.push(invalid(`${path}.maxFailedIndexes`, failures, `must be less than or equal to ${maxFailedIndexes}`));
  }
  if ((completions ?? 0) > manyCompletions && backoffLimitPerIndex !== undefined) checkMany(errors, path, spec);
}

/** All failed indexes must fit into a status. */
function checkMany(errors: FieldError[], path: string, { parallelism = 0, maxFailedIndexes: failures }: JobSpec): void {
  const when = `when completions are above ${manyCompletions} and used with backoff limit per index`;
  if (failures === undefined) {
    const detail = `must be specified when completions is above ${manyCompletions}`;
    errors.push(required(`${path}.maxFailedIndexes`, detail));
  }
  if (parallelism > maxForMany) {
    errors.push(invalid(`${path}.parallelism`, parallelism, `must be less than or equal to ${maxForMany} ${when}`));
  }
  if (failures !== undefined && failures > maxForMany) {
    errors.push(invalid(`${path}.maxFailedIndexes`, failures, `must be less than or equal to ${maxForMany} ${when}`));
  }
}

function checkReplacementPolicy(errors: FieldError[], path: string, spec: JobSpec): void {
  if (spec.podReplacementPolicy === undefined) return;
  const supported = spec.podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  checkSupported(errors, path, spec.podReplacementPolicy, supported);
}

/** Always is the default of pods, so for a job it counts as absent. */
function checkTerminates(errors: FieldError[], path: string, { template, podFailurePolicy }: JobSpec): void {
  const { restartPolicy } = template.spec;
  if (!restartPolicy || restartPolicy === 'Always') errors.push(required(path, 'valid values: "OnFailure", "Never"'));
  else if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    errors.push(notSupported(path, restartPolicy, ['OnFailure', 'Never']));
  } else if (podFailurePolicy !== undefined && restartPolicy !== 'Never') {
    errors.push(invalid(path, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
}

const manyParallel = 10_000;

/** `path`: that of the spec, in a job or in the template of a cron job. */
export function jobSpecWarnings(path: string, spec: JobSpec): string[] {
  const warnings = templateWarnings(`${path}.template`, spec.template);
  const { completions = 0, parallelism = 0 } = spec;
  if (!isIndexed(spec) || completions <= manyCompletions || parallelism <= manyParallel) return warnings;
  const when = 'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4';
  const effect = 'Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [`${path}: ${when}, ${effect}`, ...warnings];
}
