import type { ApiRequest, Counter, MetricFamily } from '@flotilla/kube';
import type { BearerTokens } from '../access/authentication/bearer-tokens.ts';
import type { ServiceAccountTokens } from '../access/authentication/service-account-tokens.ts';
import type { Impersonation } from '../access/authentication/impersonation.ts';
import type { Rbac } from '../access/rbac/rbac.ts';
import type { Admission } from '../admission/admission.ts';
import type { HeavyRequests } from '../heavy/heavy-requests.ts';
import type { ResourceInfo } from '../request/request-info.ts';
import type { Work } from '../limits/work.ts';
import type { Registry } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import type { ServiceReservations } from '../resources/service-reservations.ts';
import type { Store } from '../store/store.ts';

/** What a server is made of, as far as its verbs are concerned. Time and chance come in here. */
export interface Surroundings {
  readonly store: Store;
  readonly registry: Registry;
  readonly admission: readonly Admission[];
  /** Who is who, by what they show. */
  readonly tokens: Pick<BearerTokens, 'recognise'> & {
    readonly accounts: Pick<ServiceAccountTokens, 'sign' | 'audiences' | 'maxExpirationSeconds'>;
  };
  /** Who may do what. */
  readonly access: Pick<Rbac, keyof Rbac>;
  /** Whether pods may have privileged containers. */
  readonly allowsPrivileged: boolean;
  /** Who asks in whose name. */
  readonly impersonation: Impersonation;
  readonly now: () => Date;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly uid: () => string;
  /** Calls back after so many milliseconds; the returned function takes it back. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
  /** Cluster IPs and node ports that are taken. */
  readonly services: Pick<ServiceReservations, 'reserve' | 'released'>;
  /** Counts events that watches send, by group, resource and version. */
  readonly watchEvents: MetricFamily<Counter>;
  /** Runs requests that would hold the event loop for long in another thread; absent in that thread itself. */
  readonly heavy?: HeavyRequests;
}

/** One request on its way through a verb. */
export interface Call {
  readonly server: Surroundings;
  readonly request: ApiRequest;
  readonly info: ResourceInfo;
  readonly resource: Resource;
  /** What the request takes of its caller's share; undefined for one that is not counted, or reads. */
  readonly work?: Work | undefined;
  /** Sentences for `Warning` headers, in the order they came up. */
  readonly warnings: string[];
}
