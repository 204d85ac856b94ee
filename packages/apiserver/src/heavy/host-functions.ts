import type { GroupVersionKind, JsonObject, Kind, KubeObject } from '@flotilla/kube';
import type { ServiceAccountTokens } from '../access/authentication/service-account-tokens.ts';
import type { Recognition } from '../access/authentication/bearer-tokens.ts';
import type { AdmissionObserver } from '../admission/metrics/admission-observer.ts';
import type { Rbac } from '../access/rbac/rbac.ts';
import type { OwnServerCall } from '../webhooks/own-server.ts';
import type { Entry, Header, Key, StoreEvent, WatchScope } from '../store/store.ts';

/**
 * Functions that the worker calls in the main thread, which has the store. The worker blocks until they return. A function that
 * takes longer returns a ticket, and a later message carries the outcome.
 */
export interface HostFunctions {
  newest(key: Key): Entry | undefined;
  get(key: Key): Entry | undefined;
  entries(): Entry[];
  range(collection: string, prefix: string, start: string | undefined): Entry[];
  count(collection: string, prefix: string | undefined): number;
  revision(): number;
  compactedRevision(): number;
  accept(writes: readonly RemoteWrite[]): Ticket;
  settle(key: Key | undefined): Ticket;
  openCursor(scope: WatchScope | 'all', afterRevision: number): number | 'compacted';
  nextEvent(cursor: number): RemoteEvent | undefined | 'compacted';
  awaitEvent(cursor: number): Ticket;
  closeCursor(cursor: number): void;

  authorize: Rbac['authorize'];
  effectiveGroups: Rbac['effectiveGroups'];
  rulesGeneration(): number;
  rulesOf: Rbac['rulesOf'];
  missingRoles: Rbac['missingRoles'];
  rulesOfRole: Rbac['rulesOfRole'];
  notHeld: Rbac['notHeld'];
  /** A ticket stands for an answer that is not there yet. */
  recognise(token: string, audiences?: readonly string[]): Recognition | { readonly ticket: number };
  sign: ServiceAccountTokens['sign'];
  tokenLimits(): TokenLimits;

  /** Reserves cluster IP and node ports of a Service, and returns the object with them. */
  reserve(object: KubeObject, old: KubeObject | undefined, dryRun: boolean): RemoteReservation;
  endReservation(reservation: number, outcome: 'keep' | 'undo'): void;
  release(object: KubeObject): void;

  /** The definition in the state that the newest job for it named. */
  definition(name: string): Entry | undefined;

  findKind(gvk: GroupVersionKind): Kind | undefined;

  pluginsRan: AdmissionObserver['ran'];
  webhookCalled: AdmissionObserver['webhooks']['called'];
  webhookFailedOpen: AdmissionObserver['webhooks']['failedOpen'];
  webhookExcluded: AdmissionObserver['webhooks']['excluded'];
  policyValidated: AdmissionObserver['policies']['validated'];
  policyMutated: AdmissionObserver['policies']['mutated'];
  conditionsEvaluated: AdmissionObserver['conditions']['evaluated'];

  callOwnServer(call: OwnServerCall): Ticket;

  uid(): string;
  random(): number;
  now(): number;
}

/** Identifies the outcome that a later message carries. */
export type Ticket = number;

/** A write whose bytes are complete except for the revision, which the store assigns. */
export interface RemoteWrite {
  readonly verb: 'put' | 'delete';
  readonly key: Key;
  readonly expected: number;
  /** Absent for a delete. */
  readonly header?: Header;
  readonly beforeRevision: Uint8Array;
  readonly afterRevision: Uint8Array;
}

export interface RemoteCommit {
  readonly revision: number;
  readonly createRevision: number;
  readonly header: Header;
}

export type RemoteEvent = Pick<StoreEvent, 'revision' | 'type' | 'entry' | 'previous'>;

export interface TokenLimits {
  readonly audiences: readonly string[];
  readonly maxExpirationSeconds: number | undefined;
}

export interface RemoteReservation {
  readonly object: JsonObject;
  readonly reservation: number;
}
