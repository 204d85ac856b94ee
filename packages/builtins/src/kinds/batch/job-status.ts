/**
 * Validates the status of a job. Rules apply to what changes, so that a status that is older than a rule can still be
 * written.
 */
import { duplicate, invalid, required, type FieldError } from '@flotilla/kube';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';
import { semanticEqual } from '../semantic-equal.ts';
import { countIndexes, firstCommonIndex } from './index-intervals.ts';
import { isTrue, type JobFields, type JobStatus } from './job-fields.ts';
import { isIndexed } from './job-spec.ts';
import { invalidWithoutValue } from './pod-policies.ts';

export function validateJobStatus(job: JobFields, old: JobFields): FieldError[] {
  const errors: FieldError[] = [];
  const change = new StatusChange(job, old);
  checkCounts(errors, job.status);
  checkConditions(errors, change);
  checkTimes(errors, change);
  checkCompleteConditions(errors, change);
  checkFinished(errors, change);
  checkIndexes(errors, change);
  checkPods(errors, change);
  checkCriteria(errors, job);
  checkTransitions(errors, change);
  return errors;
}

class StatusChange {
  readonly job: JobFields;
  readonly status: JobStatus;
  readonly old: JobStatus;

  constructor(job: JobFields, old: JobFields) {
    this.job = job;
    this.status = job.status;
    this.old = old.status;
  }

  is(condition: string): boolean {
    return isTrue(this.status, condition);
  }

  was(condition: string): boolean {
    return isTrue(this.old, condition);
  }

  turned(...conditions: readonly string[]): boolean {
    return conditions.some((condition) => this.is(condition) !== this.was(condition));
  }

  changed(...fields: readonly string[]): boolean {
    return fields.some((field) => !semanticEqual(this.status[field], this.old[field]));
  }

  get isFinished(): boolean {
    return this.is('Complete') || this.is('Failed');
  }

  get hasFinishedTurned(): boolean {
    return this.isFinished !== (this.was('Complete') || this.was('Failed'));
  }
}

function checkCounts(errors: FieldError[], status: JobStatus): void {
  for (const field of ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const) {
    checkNotNegative(errors, `status.${field}`, status[field]);
  }
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    status.uncountedTerminatedPods?.[list]?.forEach((uid, i) => {
      const field = `status.uncountedTerminatedPods.${list}[${i}]`;
      if (uid === '') errors.push(invalid(field, uid, 'must not be empty'));
      else if (seen.has(uid)) errors.push(duplicate(field, uid));
      seen.add(uid);
    });
  }
}

const conditionsField = 'status.conditions';

function checkConditions(errors: FieldError[], change: StatusChange): void {
  if (!change.is('Complete')) return;
  for (const other of ['Failed', 'FailureTarget']) {
    if (!change.is(other) || !change.turned('Complete', other)) continue;
    errors.push(invalidWithoutValue(conditionsField, `cannot set Complete=True and ${other}=true conditions`));
  }
}

function checkTimes(errors: FieldError[], change: StatusChange): void {
  const { completionTime, startTime } = change.status;
  const field = 'status.completionTime';
  const isComplete = change.is('Complete');
  if (change.turned('Complete') || change.changed('completionTime')) {
    if (completionTime !== undefined && !isComplete) {
      const detail = 'cannot set completionTime when there is no Complete=True condition';
      errors.push(invalid(field, completionTime, detail));
    }
    if (completionTime === undefined && isComplete) {
      errors.push(required(field, 'completionTime is required for Complete jobs'));
    }
  }
  if (!change.changed('startTime', 'completionTime') || startTime === undefined || completionTime === undefined) return;
  if (Date.parse(completionTime) < Date.parse(startTime)) {
    errors.push(invalid(field, completionTime, 'must be equal to or after `startTime`'));
  }
}

function checkCompleteConditions(errors: FieldError[], change: StatusChange): void {
  const hasFailed = change.is('Failed') && !change.is('FailureTarget');
  if (hasFailed && (change.turned('Failed') || change.changed('failedIndexes'))) {
    const detail = 'cannot set Failed=True condition without the FailureTarget=true condition';
    errors.push(invalidWithoutValue(conditionsField, detail));
  }
  const isComplete = change.is('Complete') && !change.is('SuccessCriteriaMet');
  if (isComplete && change.turned('Complete', 'SuccessCriteriaMet')) {
    const detail = 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition';
    errors.push(invalidWithoutValue(conditionsField, detail));
  }
}

function checkFinished(errors: FieldError[], change: StatusChange): void {
  if (!change.isFinished) return;
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = change.status;
  const { suspend, completions } = change.job.spec;
  const isNew = change.hasFinishedTurned;
  if (active > 0 && (isNew || change.changed('active'))) {
    errors.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  }
  const neverStarts = suspend === true && completions === 0;
  if (startTime === undefined && (isNew || change.changed('startTime')) && !neverStarts) {
    errors.push(required('status.startTime', 'startTime is required for finished job'));
  }
  const hasUncounted = (uncounted?.succeeded?.length ?? 0) + (uncounted?.failed?.length ?? 0) > 0;
  if (hasUncounted && (isNew || change.changed('uncountedTerminatedPods'))) {
    const printed = { Succeeded: uncounted?.succeeded ?? null, Failed: uncounted?.failed ?? null };
    errors.push(invalid('status.uncountedTerminatedPods', printed, 'must be empty for finished job'));
  }
}

function checkIndexes(errors: FieldError[], change: StatusChange): void {
  const { completions, backoffLimitPerIndex } = change.job.spec;
  const { completedIndexes = '', failedIndexes } = change.status;
  const hasCompletedChanged = change.changed('completedIndexes');
  const hasFailedChanged = change.changed('failedIndexes');
  const completedField = 'status.completedIndexes';
  const failedField = 'status.failedIndexes';
  if (hasCompletedChanged) checkFormat(errors, completedField, completedIndexes, completions);
  if (hasFailedChanged && backoffLimitPerIndex !== undefined && failedIndexes !== undefined) {
    checkFormat(errors, failedField, failedIndexes, completions);
  }
  if (hasCompletedChanged && completedIndexes !== '' && !isIndexed(change.job.spec)) {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    errors.push(invalid(completedField, completedIndexes, detail));
  }
  if (hasFailedChanged && failedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.push(invalid(failedField, failedIndexes, detail));
  }
  if ((!hasCompletedChanged && !hasFailedChanged) || completions === undefined || failedIndexes === undefined) return;
  const common = firstCommonIndex(completedIndexes, failedIndexes, completions);
  if (common === undefined) return;
  const detail = `failedIndexes and completedIndexes overlap at index: ${common}`;
  errors.push(invalid(failedField, failedIndexes, detail));
}

function checkFormat(errors: FieldError[], field: string, indexes: string, completions: number | undefined): void {
  if (completions === undefined) return;
  const count = countIndexes(indexes, completions);
  if (typeof count === 'number') return;
  errors.push(invalid(field, indexes, `error parsing ${field.slice('status.'.length)}: ${count}`));
}

function checkPods(errors: FieldError[], change: StatusChange): void {
  const { terminating = 0, ready, active = 0 } = change.status;
  if (terminating > 0 && change.isFinished && (change.hasFinishedTurned || change.changed('terminating'))) {
    errors.push(invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  }
  if (ready !== undefined && ready > active && change.changed('ready', 'active')) {
    errors.push(invalid('status.ready', ready, 'cannot set more ready pods than active'));
  }
}

function checkCriteria(errors: FieldError[], { spec, status }: JobFields): void {
  const isMet = isTrue(status, 'SuccessCriteriaMet');
  for (const other of ['Failed', 'FailureTarget']) {
    if (!isMet || !isTrue(status, other)) continue;
    const detail = `cannot set SuccessCriteriaMet=True and ${other}=true conditions`;
    errors.push(invalidWithoutValue(conditionsField, detail));
  }
  if (spec.successPolicy !== undefined && !isMet && isTrue(status, 'Complete')) {
    const detail = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True';
    errors.push(invalidWithoutValue(conditionsField, detail));
  }
}

function checkTransitions(errors: FieldError[], change: StatusChange): void {
  for (const condition of ['Failed', 'Complete', 'FailureTarget']) {
    if (!change.was(condition) || change.is(condition)) continue;
    errors.push(invalidWithoutValue(conditionsField, `cannot disable the terminal ${condition}=True condition`));
  }
  checkCounters(errors, change);
  const { completionTime, startTime } = change.status;
  if (completionTime !== undefined && change.old.completionTime !== undefined && change.changed('completionTime')) {
    errors.push(invalid('status.completionTime', completionTime, 'field is immutable'));
  }
  const isFixed = change.old.startTime !== undefined && change.job.spec.suspend !== true && !isResuming(change);
  if (isFixed && change.changed('startTime')) {
    const detail = 'field is immutable for unsuspended job once set';
    errors.push(invalid('status.startTime', startTime ?? null, detail));
  }
  if (change.was('SuccessCriteriaMet') && !change.is('SuccessCriteriaMet')) {
    errors.push(invalidWithoutValue(conditionsField, 'cannot disable the SuccessCriteriaMet=True condition'));
  }
  if (change.was('Complete') && !change.was('SuccessCriteriaMet') && change.is('SuccessCriteriaMet')) {
    const detail = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions';
    errors.push(invalidWithoutValue(conditionsField, detail));
  }
}

function checkCounters(errors: FieldError[], { job, status, old }: StatusChange): void {
  const { failed = 0, succeeded = 0 } = status;
  if (failed < (old.failed ?? 0)) errors.push(invalid('status.failed', failed, 'cannot decrease the failed counter'));
  const mayShrink = isIndexed(job.spec) && job.spec.completions === job.spec.parallelism;
  if (!mayShrink && succeeded < (old.succeeded ?? 0)) {
    errors.push(invalid('status.succeeded', succeeded, 'cannot decrease the succeeded counter'));
  }
}

function isResuming({ status, old }: StatusChange): boolean {
  const isNotSuspended = status.conditions?.some(({ type, status: is }) => type === 'Suspended' && is === 'False');
  return isTrue(old, 'Suspended') && isNotSuspended === true;
}
