import {
  duplicate,
  invalid,
  notSupported,
  qualifiedNameProblems,
  quoteAll,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '@flotilla/kube';
import { checkNotNegative, checkSupported, invalidForEach } from '../core-pods/pod-validation/checks.ts';
import { countIndexes } from './index-intervals.ts';
import type { JobSpec, PodFailureRule } from './job-fields.ts';

const maxRules = 20;
const maxExitCodes = 255;
const maxPatterns = 20;
const maxIndexesLength = 64 * 1024;

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];

/** A field error without a value, as Kubernetes reports these. */
export function invalidWithoutValue(field: string, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, body: `Invalid value: ${detail}` };
}

export function checkPodFailurePolicy(errors: FieldError[], path: string, spec: JobSpec): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > maxRules) errors.push(tooMany(path, rules.length, maxRules));
  const { containers, initContainers } = spec.template.spec;
  const names = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name));
  rules.forEach((rule, i) => checkRule(errors, `${path}[${i}]`, rule, spec, names));
}

function checkRule(
  errors: FieldError[],
  path: string,
  rule: PodFailureRule,
  spec: JobSpec,
  containers: ReadonlySet<string>,
): void {
  const { action, onExitCodes } = rule;
  const onPodConditions = rule.onPodConditions ?? [];
  if (!action) errors.push(required(`${path}.action`, `valid values: ${quoteAll(actions)}`));
  else if (action === 'FailIndex') {
    if (spec.backoffLimitPerIndex === undefined) {
      errors.push(invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set'));
    }
  } else checkSupported(errors, `${path}.action`, action, actions);
  if (onExitCodes !== undefined) checkExitCodes(errors, `${path}.onExitCodes`, onExitCodes, containers);
  checkConditions(errors, `${path}.onPodConditions`, onPodConditions);
  if (onExitCodes !== undefined && onPodConditions.length > 0) {
    errors.push(invalidWithoutValue(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  }
  if (onExitCodes === undefined && onPodConditions.length === 0) {
    errors.push(invalidWithoutValue(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  }
}

function checkConditions(
  errors: FieldError[],
  path: string,
  patterns: readonly { readonly type: string; readonly status?: string }[],
): void {
  if (patterns.length > maxPatterns) errors.push(tooMany(path, patterns.length, maxPatterns));
  patterns.forEach(({ type, status }, i) => {
    invalidForEach(errors, `${path}[${i}].type`, type, qualifiedNameProblems(type));
    if (!status) errors.push(required(`${path}[${i}].status`, `valid values: ${quoteAll(statuses)}`));
    else if (!statuses.includes(status)) errors.push(notSupported(`${path}[${i}].status`, status, statuses));
  });
}

function checkExitCodes(
  errors: FieldError[],
  path: string,
  { containerName, operator, values: given }: NonNullable<PodFailureRule['onExitCodes']>,
  containers: ReadonlySet<string>,
): void {
  const values = given ?? [];
  if (!operator) errors.push(required(`${path}.operator`, `valid values: ${quoteAll(operators)}`));
  else checkSupported(errors, `${path}.operator`, operator, operators);
  if (containerName !== undefined && !containers.has(containerName)) {
    const message = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(`${path}.containerName`, containerName, message));
  }
  if (values.length === 0) errors.push(invalid(`${path}.values`, given ?? null, 'at least one value is required'));
  else if (values.length > maxExitCodes) errors.push(tooMany(`${path}.values`, values.length, maxExitCodes));
  checkCodes(errors, `${path}.values`, values, operator);
}

function checkCodes(errors: FieldError[], path: string, values: number[], operator: string | undefined): void {
  const seen = new Set<number>();
  values.forEach((value, i) => {
    if (operator === 'In' && value === 0) {
      errors.push(invalid(`${path}[${i}]`, value, 'must not be 0 for the In operator'));
    }
    if (seen.has(value)) errors.push(duplicate(`${path}[${i}]`, value));
    seen.add(value);
  });
  const isOrdered = values.every((value, i) => i === 0 || (values[i - 1] ?? 0) <= value);
  if (!isOrdered) errors.push(invalid(path, values, 'must be ordered'));
}

export function checkSuccessPolicy(errors: FieldError[], path: string, spec: JobSpec): void {
  const rules = spec.successPolicy?.rules ?? [];
  if (rules.length === 0) {
    errors.push(required(path, 'at least one rules must be specified when the successPolicy is specified'));
  }
  if (rules.length > maxRules) errors.push(tooMany(path, rules.length, maxRules));
  rules.forEach((rule, i) => checkSuccessRule(errors, `${path}[${i}]`, rule, spec.completions ?? 0));
}

function checkSuccessRule(
  errors: FieldError[],
  path: string,
  { succeededIndexes, succeededCount }: { readonly succeededIndexes?: string; readonly succeededCount?: number },
  completions: number,
): void {
  if (succeededCount === undefined && succeededIndexes === undefined) {
    errors.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  }
  const indexes = succeededIndexes === undefined ? 0 : countIndexes(succeededIndexes, completions);
  if (succeededIndexes !== undefined && succeededIndexes.length > maxIndexesLength) {
    errors.push(tooLong(`${path}.succeededIndexes`, maxIndexesLength));
  }
  if (typeof indexes === 'string') {
    const message = `error parsing succeededIndexes: ${indexes}`;
    errors.push(invalid(`${path}.succeededIndexes`, succeededIndexes, message));
  }
  if (succeededCount === undefined) return;
  const field = `${path}.succeededCount`;
  const total = typeof indexes === 'string' ? 0 : indexes;
  checkNotNegative(errors, field, succeededCount);
  if (succeededCount > completions) {
    const limit = `${completions} (the number of specified completions)`;
    errors.push(invalid(field, succeededCount, `must be less than or equal to ${limit}`));
  }
  if (succeededIndexes !== undefined && succeededCount > total) {
    const limit = `${total} (the number of indexes in the specified succeededIndexes field)`;
    errors.push(invalid(field, succeededCount, `must be less than or equal to ${limit}`));
  }
}
