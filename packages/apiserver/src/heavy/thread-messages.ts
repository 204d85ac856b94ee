import type { ApiStatus, ResponseHeaders, User } from '@flotilla/kube';
import type { AuditAdditions } from '../audit/collected-audit.ts';
import type { AuditDecision } from '../audit/policy/audit-policy.ts';
import type { DeleteOptions } from '../request/delete-options.ts';
import type { Representation } from '../request/negotiate.ts';
import type { ResourceInfo } from '../request/request-info.ts';
import type { FrameContent } from '../call/heavy-work.ts';
import type { Entry, Key } from '../store/store.ts';
import type { HostCall } from './host-calls.ts';

/** Messages between the main thread and the worker, besides the calls of `HostFunctions`. */
export type ToWorker =
  | { readonly kind: 'job'; readonly number: number; readonly job: Job }
  | { readonly kind: 'outcome'; readonly ticket: number; readonly value?: unknown; readonly error?: SerializedError };

export interface FromWorker {
  readonly number: number;
  /** Texts of `Warning` headers for an error. The headers of an answer contain them already. */
  readonly warnings: readonly string[];
  /** Calls that only count, of this job and others. */
  readonly counted: readonly HostCall[];
  /** For the audit event of the request. */
  readonly audit?: AuditAdditions | undefined;
  readonly answer?: Answer;
  readonly error?: SerializedError;
}

export interface Answer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
}

/** One request to run, with everything that the worker cannot get from `HostFunctions`. */
export interface Job {
  readonly server: ServerSettings;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly user: User | undefined;
  readonly body: Uint8Array;
  /** As in the request. */
  readonly isPrinted: boolean;
  readonly timeoutMs: number;
  /** Absent if the request is not audited. */
  readonly audit?: AuditDecision | undefined;
  readonly info: Omit<ResourceInfo, 'query'>;
  /** The definition of a custom resource. */
  readonly definition?: NamedDefinition;
  /** Set if the main thread answers the request, and the worker runs only this part. */
  readonly part?: RequestPart;
}

/** The work of a list, a watch or a delete of a collection on one large object. */
export type RequestPart =
  | { readonly kind: 'frame'; readonly representation: Representation; readonly content: FrameContent }
  | { readonly kind: 'item'; readonly representation: Representation; readonly entry: Entry }
  | { readonly kind: 'fields'; readonly entry: Entry }
  | { readonly kind: 'delete'; readonly namespace: string; readonly name: string; readonly options: DeleteOptions };

export interface ServerSettings {
  readonly number: number;
  readonly allowsPrivileged: boolean;
  readonly disabledAdmission: readonly string[];
  /** Names of admission plugins that the host program added. */
  readonly addedAdmission: readonly string[];
}

/** Identifies a state of a definition. The worker gets the text from the main thread if it does not have it. */
export interface NamedDefinition {
  readonly name: string;
  readonly revision: number;
  readonly isEstablished: boolean;
  readonly isTerminating: boolean;
}

/** An error in a form that can be sent to another thread. */
export type SerializedError =
  | { readonly kind: 'api'; readonly status: ApiStatus }
  | { readonly kind: 'conflict'; readonly key: Key; readonly actual: number }
  | { readonly kind: 'unavailable'; readonly message: string }
  | { readonly kind: 'fault'; readonly message: string; readonly stack: string };
