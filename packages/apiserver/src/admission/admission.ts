import { apiErrors, type ApiError, type KubeObject, type User } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import type { Resource } from '../resources/resource.ts';
import type { Store } from '../store/store.ts';

/**
 * What stands between a decoded request and the store. Admission is a list, in the order of kube-apiserver's plugins, and each
 * may refuse by throwing an ApiError.
 */
export interface Admission {
  readonly name: string;
  /** Before the object is validated; may edit it (it is the request's own). */
  readonly admit?: (attributes: Attributes) => Admitted;
  /** After the object was validated; may only refuse. */
  readonly validate?: (attributes: Attributes) => Admitted;
}

/** A step that need not wait does not: a promise costs every request that passes it, and lets others in between. */
export type Admitted = void | Promise<void>;

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What steps may use of the server. */
export interface AdmissionDependencies {
  readonly store: Store;
  /** All steps, in their order. */
  readonly admission: readonly Admission[];
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Calls back after so many milliseconds; the returned function takes it back. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
  /** Shares the event loop among requests with much to do. */
  readonly turns: LoopTurns;
}

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
  readonly server: AdmissionDependencies;
  readonly warnings: string[];
}

export function admit(attributes: Attributes): Admitted {
  return through(attributes, 'admit', 0);
}

export function validateAdmission(attributes: Attributes): Admitted {
  return through(attributes, 'validate', 0);
}

/** All steps from `start` on, one after another; a promise only where one of them had to wait. */
function through(attributes: Attributes, phase: 'admit' | 'validate', start: number): Admitted {
  const { admission } = attributes.server;
  for (let at = start; at < admission.length; at++) {
    const waiting = admission[at]?.[phase]?.(attributes);
    if (waiting instanceof Promise) return waiting.then(() => through(attributes, phase, at + 1));
  }
}

/** The step's answer to a request that it does not let through. */
export function forbidden(attributes: Attributes, why: string): ApiError {
  const { plural, group } = attributes.resource;
  return apiErrors.forbidden({ resource: plural, group }, nameIn(attributes), why);
}

/** A name that the server will make up is not made yet while the object may still change. */
function nameIn({ name, object }: Attributes): string {
  if (name !== '' || object === undefined) return name || 'Unknown';
  return object.metadata.name || object.metadata.generateName || 'Unknown';
}
