import { apiErrors, type ApiError, type KubeObject, type User } from '@flotilla/kube';
import type { Resource } from '../resources/resource.ts';
import type { Surroundings } from '../verbs/context.ts';

/**
 * What stands between a decoded request and the store. Admission is a list, in the order of kube-apiserver's plugins, and each
 * may refuse by throwing an ApiError.
 */
export interface Admission {
  readonly name: string;
  /** Before the object is validated; may edit it (it is the request's own). */
  readonly admit?: (attributes: Attributes) => void;
  /** After the object was validated; may only refuse. */
  readonly validate?: (attributes: Attributes) => void;
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
  for (const step of attributes.server.admission) step.admit?.(attributes);
}

export function validateAdmission(attributes: Attributes): void {
  for (const step of attributes.server.admission) step.validate?.(attributes);
}

/** The step's answer to a request that it does not let through. */
export function forbidden({ resource, name, object }: Attributes, why: string): ApiError {
  const { plural, group } = resource;
  return apiErrors.forbidden({ resource: plural, group }, name === '' ? (object?.metadata.name ?? '') : name, why);
}
