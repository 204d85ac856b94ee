import type { Subject } from '@flotilla/builtins';
import { rbacGroup } from '@flotilla/kube';

/** A binding of the server's own. */
export interface BindingRow {
  /** Where it is not named like the binding. */
  readonly role?: string;
  /** `User name`, `Group name` or `ServiceAccount namespace/name`. */
  readonly subjects: readonly string[];
}

export function subjectFrom(row: string): Subject {
  const [kind = '', who = ''] = row.split(' ');
  if (kind !== 'ServiceAccount') return { kind, apiGroup: rbacGroup, name: who };
  const [namespace = '', name = ''] = who.split('/');
  return { kind, name, namespace };
}
