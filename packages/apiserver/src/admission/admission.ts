import {
  apiErrors,
  type ApiError,
  type ApiRequest,
  type GroupVersionKind,
  type Kind,
  type KubeObject,
  type User,
} from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import type { RequestAudit } from '../audit/request-audit.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { DeleteOptions } from '../request/delete-options.ts';
import type { WriteOptions } from '../request/write-options.ts';
import type { Registry } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import type { WorkerRetry } from '../resources/cost-allowance.ts';
import type { AdmissionObserver } from './metrics/admission-observer.ts';
import type { AdmissionTimes } from './metrics/phase-times.ts';
import { runCharges, runPhase } from './run-phase.ts';
import type { CallOwnServer } from '../webhooks/own-server.ts';
import type { LimitRangeFields } from './limit-range-fields.ts';
import type { NamespacedObjects } from './namespaced-objects.ts';
import type { ParsedQuota } from './quota/parse-quota.ts';
import type { Store, Write } from '../store/store.ts';

/** An admission plugin. They run in the order of kube-apiserver's, and each may refuse a request by throwing an ApiError. */
export interface Admission {
  readonly name: string;
  /** Those that kube-apiserver calls it for. Absent: all. */
  readonly operations?: readonly Operation[];
  /** Runs before validation; may change the object, which belongs to the request. */
  readonly admit?: (attributes: Attributes) => Admitted;
  /** Runs after validation; must not change the object. */
  readonly validate?: (attributes: Attributes) => Admitted;
  /** Runs again in the turn that stores a create that waited for a webhook: what `admit` looked up may be gone. */
  readonly recheck?: (attributes: Attributes) => void;
  /**
   * Runs last, in the turn that stores the object, so nothing that it reads is out of date. Returns the writes that the same
   * commit makes to other objects. A dry run calls it too, and drops the writes.
   */
  readonly charge?: (attributes: Attributes) => readonly Write[];
}

/** As metrics name it. */
export type PhaseName = 'admit' | 'validate';

/** The plugins of a phase that are called for an operation, in order. */
export interface PhaseList<Call = (attributes: Attributes) => Admitted> {
  /** Distinguishes the lists of a chain. */
  readonly index: number;
  readonly phase: PhaseName;
  readonly operation: Operation;
  /** Whether it is the whole phase. */
  readonly isStep: boolean;
  readonly names: readonly string[];
  readonly calls: readonly Call[];
}

export type ChargeList = PhaseList<(attributes: Attributes) => readonly Write[]>;

/** All plugins of a server in order, and what they do before and after validation. */
export interface AdmissionChain {
  readonly plugins: readonly Admission[];
  readonly admitting: Readonly<Record<Operation, PhaseList>>;
  readonly validating: Readonly<Record<Operation, PhaseList>>;
  readonly rechecking: readonly ((attributes: Attributes) => void)[];
  readonly charging: Readonly<Record<Operation, ChargeList>>;
}

/** Synchronous where possible: a promise costs every request, and lets other requests run in between. */
export type Admitted = void | Promise<void>;

export const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

export type Operation = (typeof operations)[number];

/** What plugins may use of the server. */
export interface AdmissionDependencies {
  readonly store: Store;
  readonly registry: Registry;
  readonly quotas: NamespacedObjects<ParsedQuota>;
  readonly limitRanges: NamespacedObjects<LimitRangeFields>;
  readonly admission: AdmissionChain;
  readonly admissionTimes: AdmissionTimes;
  readonly observer: AdmissionObserver;
  readonly access: { readonly authorize: Authorizer };
  /** Webhooks of the stored configurations. */
  readonly webhooks: Webhooks;
  /** A kind that the server serves, built-in or from a definition. */
  readonly findKind: (gvk: GroupVersionKind) => Kind | undefined;
  readonly now: () => Date;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Calls back after the delay; the returned function cancels. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
  /** Yields the event loop to other requests during long work. */
  readonly turns: LoopTurns;
}

/** The webhooks of a server, in both phases. */
export interface Webhooks {
  admit(attributes: Attributes): Admitted;
  validate(attributes: Attributes): Admitted;
  /** Calls webhooks that this server answers itself. */
  readonly callOwnServer: CallOwnServer;
}

/** A change by a webhook or a policy lets the plugins that admit run once more. */
export interface Reinvocation {
  shouldReinvoke: boolean;
  /** Whether this is the second run. */
  isReinvoke: boolean;
  /** The time of the first run. */
  earlierSeconds?: number;
  /** What plugins remember from the first run, by their names. */
  readonly states: Map<string, unknown>;
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
  /** A patch has those of an update. Absent for a connection. */
  readonly options?: WriteOptions | DeleteOptions | undefined;
  readonly user: User;
  readonly dryRun: boolean;
  readonly server: AdmissionDependencies;
  readonly warnings: string[];
  /** Its signal ends with the request. Making one costs several microseconds, so that only plugins that wait read it. */
  readonly request?: Pick<ApiRequest, 'signal'> | undefined;
  /** Use `reinvocationOf`. */
  reinvocation?: Reinvocation;
  /** Absent: this thread must answer the request, whatever its expressions cost. */
  readonly retry?: WorkerRetry | undefined;
  /** Takes audit annotations; undefined if the request is not audited. */
  readonly audit?: Pick<RequestAudit, 'annotate'> | undefined;
}

export function admit(attributes: Attributes): Admitted {
  const waiting = runPhase(attributes, attributes.server.admission.admitting[attributes.operation]);
  return waiting instanceof Promise ? waiting.then(() => admitAgain(attributes)) : admitAgain(attributes);
}

function admitAgain(attributes: Attributes): Admitted {
  const { reinvocation } = attributes;
  if (!reinvocation?.shouldReinvoke) return;
  reinvocation.isReinvoke = true;
  return runPhase(attributes, attributes.server.admission.admitting[attributes.operation]);
}

/** For a plugin that may change the object, or that must know whether it runs again. */
export function reinvocationOf(attributes: Attributes): Reinvocation {
  return (attributes.reinvocation ??= { shouldReinvoke: false, isReinvoke: false, states: new Map() });
}

export function validateAdmission(attributes: Attributes): Admitted {
  return runPhase(attributes, attributes.server.admission.validating[attributes.operation]);
}

/** Must be called in the turn that stores the object. Throws if a plugin refuses the write. */
export function chargesOf(attributes: Attributes): readonly Write[] {
  return runCharges(attributes, attributes.server.admission.charging[attributes.operation]);
}

/** Call in the turn that stores a create, if anything was awaited since `admit`. */
export function recheckAdmission(attributes: Attributes): void {
  for (const recheck of attributes.server.admission.rechecking) recheck(attributes);
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
