import type { KubeObject, User } from '@flotilla/kube';
import type { Resource } from '../resources/resource.ts';
import type { Surroundings } from '../verbs/context.ts';

/**
 * What stands between a decoded request and its validation. Admission is a list, in the order of kube-apiserver's plugins;
 * each step may edit the object (it is the request's own) or refuse by throwing an ApiError.
 */
export interface Admission {
  readonly name: string;
  readonly admit: (attributes: Attributes) => void;
}

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface Attributes {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Absent for a delete. */
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly user: User;
  readonly dryRun: boolean;
  readonly server: Surroundings;
  readonly warnings: string[];
}

export function admit(attributes: Attributes): void {
  for (const step of attributes.server.admission) step.admit(attributes);
}
