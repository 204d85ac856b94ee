import { apiErrors, type ApiError, type KubeObject, type User } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import type { Resource } from '../resources/resource.ts';
import type { Store } from '../store/store.ts';

/** An admission plugin. They run in the order of kube-apiserver's, and each may refuse a request by throwing an ApiError. */
export interface Admission {
  readonly name: string;
  /** Runs before validation; may change the object, which belongs to the request. */
  readonly admit?: (attributes: Attributes) => Admitted;
  /** Runs after validation; must not change the object. */
  readonly validate?: (attributes: Attributes) => Admitted;
}

/** Synchronous where possible: a promise costs every request, and lets other requests run in between. */
export type Admitted = void | Promise<void>;

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What plugins may use of the server. */
export interface AdmissionDependencies {
  readonly store: Store;
  /** All plugins in order. */
  readonly admission: readonly Admission[];
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Calls back after the delay; the returned function cancels. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
  /** Yields the event loop to other requests during long work. */
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
  return runFrom(attributes, 'admit', 0);
}

export function validateAdmission(attributes: Attributes): Admitted {
  return runFrom(attributes, 'validate', 0);
}

/** Runs the plugins from `start` on in order. Returns a promise only if one of them does. */
function runFrom(attributes: Attributes, phase: 'admit' | 'validate', start: number): Admitted {
  const { admission } = attributes.server;
  for (let at = start; at < admission.length; at++) {
    const waiting = admission[at]?.[phase]?.(attributes);
    if (waiting instanceof Promise) return waiting.then(() => runFrom(attributes, phase, at + 1));
  }
}

/** The error of a plugin that refuses a request. */
export function forbidden(attributes: Attributes, why: string): ApiError {
  const { plural, group } = attributes.resource;
  return apiErrors.forbidden({ resource: plural, group }, nameIn(attributes), why);
}

/** A generated name does not exist yet: admission runs before name generation. */
function nameIn({ name, object }: Attributes): string {
  if (name !== '' || object === undefined) return name || 'Unknown';
  return object.metadata.name || object.metadata.generateName || 'Unknown';
}
