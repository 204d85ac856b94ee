import type { Counter, MetricFamily } from '@flotilla/kube';
import type { BearerTokens } from '../access/authentication/bearer-tokens.ts';
import type { ServiceAccountTokens } from '../access/authentication/service-account-tokens.ts';
import type { Rbac } from '../access/rbac/rbac.ts';
import type { AdmissionDependencies } from '../admission/admission.ts';
import type { ResourceDependencies } from '../resources/resource.ts';
import type { HeavyWork } from './heavy-work.ts';

/** Nodes without machines: the program that starts the server answers for them. */
export interface Kubelets {
  /** The log of each container. */
  readonly log: string;
  /** Why no command runs in a container, and no port is forwarded. */
  readonly refusal: string;
}

/** The dependencies of the verbs, including clock and randomness. */
export interface Server extends AdmissionDependencies, ResourceDependencies {
  /** Recognises bearer tokens, and signs those of service accounts. */
  readonly tokens: Pick<BearerTokens, 'recognise'> & {
    readonly accounts: Pick<ServiceAccountTokens, 'sign' | 'audiences' | 'maxExpirationSeconds'>;
  };
  /** Decides what a user may do. */
  readonly access: Omit<Rbac, 'allowedCount'>;
  /** Whether pods may have privileged containers. */
  readonly allowsPrivileged: boolean;
  /** Answers instead of the kubelets. Without it, connections to them are refused. */
  readonly kubelets?: Kubelets | undefined;
  /** Counts events that watches send, by group, resource and version. */
  readonly watchEvents: MetricFamily<Counter>;
  /** Runs requests that would block the event loop for long in another thread; absent in that thread itself. */
  readonly heavy?: HeavyWork;
}
