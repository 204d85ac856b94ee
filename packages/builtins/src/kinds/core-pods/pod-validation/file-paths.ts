/** Rules for paths inside volumes and for file modes. */
import { invalid, type FieldError } from '@flotilla/kube';

export function checkNoBacksteps(errors: FieldError[], path: string, target: string): void {
  if (hasBackstep(target)) errors.push(invalid(path, target, "must not contain '..'"));
}

export function checkDescendingPath(errors: FieldError[], path: string, target: string): void {
  if (target.startsWith('/')) errors.push(invalid(path, target, 'must be a relative path'));
  checkNoBacksteps(errors, path, target);
}

/** Names that start with two dots are the kubelet's own. */
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
