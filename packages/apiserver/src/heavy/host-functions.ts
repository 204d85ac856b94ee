import type { JsonObject, KubeObject } from '@flotilla/kube';
import type { ServiceAccountTokens } from '../access/authentication/service-account-tokens.ts';
import type { BearerTokens } from '../access/authentication/bearer-tokens.ts';
import type { Rbac } from '../access/rbac/rbac.ts';
import type { Entry, Header, Key, StoreEvent, WatchScope } from '../store/store.ts';

/**
 * What the worker asks of the main thread, where the store is. The worker waits for each answer; where an answer takes time it is
 * a ticket, and the outcome follows as a message.
 */
export interface HostFunctions {
  newest(key: Key): Entry | undefined;
  get(key: Key): Entry | undefined;
  range(collection: string, prefix: string, start: string | undefined): Entry[];
  count(collection: string, prefix: string | undefined): number;
  revision(): number;
  compactedRevision(): number;
  accept(writes: readonly RemoteWrite[]): Ticket;
  settle(key: Key | undefined): Ticket;
  openCursor(scope: WatchScope, afterRevision: number): number | 'compacted';
  nextEvent(cursor: number): RemoteEvent | undefined | 'compacted';
  awaitEvent(cursor: number): Ticket;
  closeCursor(cursor: number): void;

  authorize: Rbac['authorize'];
  rulesGeneration(): number;
  rulesOf: Rbac['rulesOf'];
  missingRoles: Rbac['missingRoles'];
  rulesOfRole: Rbac['rulesOfRole'];
  notHeld: Rbac['notHeld'];
  recognise: BearerTokens['recognise'];
  sign: ServiceAccountTokens['sign'];
  tokenLimits(): TokenLimits;

  /** Reserves what a Service needs, and returns the object with it. */
  reserve(object: KubeObject, old: KubeObject | undefined, dryRun: boolean): RemoteReservation;
  endReservation(reservation: number, outcome: 'keep' | 'undo'): void;
  released(object: KubeObject): void;

  /** The definition that the newest job about it named. */
  definition(name: string): Entry | undefined;

  uid(): string;
  random(): number;
  now(): number;
}

/** Names the outcome that a later message carries. */
export type Ticket = number;

/** A write whose bytes are ready but for the revision, which the store assigns. */
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
