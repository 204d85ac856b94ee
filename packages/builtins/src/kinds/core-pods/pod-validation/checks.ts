/** Checks that all of pod validation uses. They append to the caller's list to avoid copies. */
import { dns1123LabelProblems, forbidden, goJson, invalid, quote, required, type FieldError } from '@flotilla/kube';
import type { Int64 } from '../pod-fields.ts';

export function invalidForEach(
  errors: FieldError[],
  path: string,
  value: string | Int64,
  problems: readonly string[],
): void {
  for (const detail of problems) errors.push(invalid(path, value, detail));
}

export function checkNotNegative(errors: FieldError[], path: string, value: Int64 | undefined): void {
  if (value !== undefined && value < 0) errors.push(invalid(path, value, 'must be greater than or equal to 0'));
}

export function checkPositive(errors: FieldError[], path: string, value: Int64): void {
  if (value <= 0) errors.push(invalid(path, value, 'must be greater than zero'));
}

export function checkRequired(errors: FieldError[], path: string, value: string | undefined): void {
  if (!value) errors.push(required(path));
}

/** An enum. `supported` has the order in which Kubernetes prints it. */
export function checkSupported(
  errors: FieldError[],
  path: string,
  value: string | undefined,
  supported: readonly string[],
): void {
  if (supported.includes(value ?? '')) return;
  // Enums have their own types in Go, so they are printed as JSON, not as quoted strings.
  const words = supported.map(quote).join(', ');
  const body = `Unsupported value: ${goJson(value ?? '')}: supported values: ${words}`;
  errors.push({ type: 'FieldValueNotSupported', field: path, body });
}

/** As `checkSupported`, but an absent value has its own message. */
export function checkRequiredChoice(
  errors: FieldError[],
  path: string,
  value: string | undefined,
  supported: readonly string[],
): void {
  if (!value) errors.push(required(path));
  else checkSupported(errors, path, value, supported);
}

export function checkDnsLabel(errors: FieldError[], path: string, value: string): void {
  invalidForEach(errors, path, value, dns1123LabelProblems(value));
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

export function checkPullPolicy(errors: FieldError[], path: string, policy: string | undefined): void {
  checkRequiredChoice(errors, path, policy, pullPolicies);
}

export function checkNoBacksteps(errors: FieldError[], path: string, target: string): void {
  if (hasBackstep(target)) errors.push(invalid(path, target, "must not contain '..'"));
}

export function checkDescendingPath(errors: FieldError[], path: string, target: string): void {
  if (target.startsWith('/')) errors.push(invalid(path, target, 'must be a relative path'));
  checkNoBacksteps(errors, path, target);
}

/** Names that start with two dots are reserved for the kubelet. */
export function checkUnreservedPath(errors: FieldError[], path: string, target: string): void {
  checkDescendingPath(errors, path, target);
  if (target.startsWith('..') && !target.startsWith('../')) {
    errors.push(invalid(path, target, "must not start with '..'"));
  }
}

export function hasBackstep(target: string): boolean {
  return target.includes('..') && target.split('/').includes('..');
}

export function checkFileMode(errors: FieldError[], path: string, mode: number | undefined): void {
  if (mode !== undefined && (mode > 0o777 || mode < 0)) {
    errors.push(invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive'));
  }
}

/**
 * What kube-apiserver refuses without --allow-privileged. A kind does not know the server's options, so it always
 * refuses; a server that allows privileged pods removes these errors.
 */
const privilegeDetail = 'disallowed by cluster policy';

export function refusedPrivilege(path: string, prefix = ''): FieldError {
  return forbidden(path, `${prefix}${privilegeDetail}`);
}

export function isRefusedPrivilege({ type, body }: FieldError): boolean {
  return type === 'FieldValueForbidden' && body.endsWith(privilegeDetail);
}
