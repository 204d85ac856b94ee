import type { Subject } from '@flotilla/builtins';
import { rbacGroup } from '@flotilla/kube';

/** A binding of the bootstrap policy. */
export interface BindingRow {
  /** By default the name of the binding. */
  readonly role?: string;
  /** `User name`, `Group name` or `ServiceAccount namespace/name`. */
  readonly subjects: readonly string[];
}

export function subjectFrom(row: string): Subject {
  const [kind = '', subject = ''] = row.split(' ');
  if (kind !== 'ServiceAccount') return { kind, apiGroup: rbacGroup, name: subject };
  const [namespace = '', name = ''] = subject.split('/');
  return { kind, name, namespace };
}
