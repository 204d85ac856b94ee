import type { ApiStatus, ResponseHeaders, User } from '@flotilla/kube';
import type { DeleteOptions } from '../request/delete-options.ts';
import type { Representation } from '../request/negotiate.ts';
import type { ResourceInfo } from '../request/request-info.ts';
import type { FrameContent } from '../call/heavy-work.ts';
import type { Entry, Key } from '../store/store.ts';

/** What the main thread and the worker send each other, beside the calls of `HostFunctions`. */
export type ToWorker =
  | { readonly kind: 'job'; readonly number: number; readonly job: Job }
  | { readonly kind: 'outcome'; readonly ticket: number; readonly value?: unknown; readonly error?: SentError };

export interface FromWorker {
  readonly number: number;
  /** Sentences for `Warning` headers of a refusal; those of an answer are in its headers. */
  readonly warnings: readonly string[];
  readonly answer?: Answer;
  readonly error?: SentError;
}

export interface Answer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
}

/** One request to run, with all that the worker cannot ask for. */
export interface Job {
  readonly server: ServerSettings;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly user: User | undefined;
  readonly body: Uint8Array;
  /** How long the request may take. */
  readonly timeoutMs: number;
  readonly info: Omit<ResourceInfo, 'query'>;
  /** The definition of a custom resource. */
  readonly definition?: NamedDefinition;
  /** A part of the request to do, where the main thread answers the request itself. */
  readonly part?: RequestPart;
}

/** What a list, a watch or a deletion of a collection does with one large object. */
export type RequestPart =
  | { readonly kind: 'frame'; readonly representation: Representation; readonly content: FrameContent }
  | { readonly kind: 'item'; readonly representation: Representation; readonly entry: Entry }
  | { readonly kind: 'delete'; readonly namespace: string; readonly name: string; readonly options: DeleteOptions };

export interface ServerSettings {
  readonly number: number;
  readonly allowsPrivileged: boolean;
  readonly disabledAdmission: readonly string[];
  /** Names of admission steps that the host program added. */
  readonly addedAdmission: readonly string[];
}

/** Which state of a definition; the worker asks for its text if it does not have it. */
export interface NamedDefinition {
  readonly name: string;
  readonly revision: number;
  readonly isEstablished: boolean;
  readonly isTerminating: boolean;
}

/** An error in a form that crosses threads. */
export type SentError =
  | { readonly kind: 'api'; readonly status: ApiStatus }
  | { readonly kind: 'conflict'; readonly key: Key; readonly actual: number }
  | { readonly kind: 'unavailable'; readonly message: string }
  | { readonly kind: 'fault'; readonly message: string; readonly stack: string };
