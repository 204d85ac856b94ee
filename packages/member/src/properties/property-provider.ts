/** Reports properties of a member that placements can select by. Users can write one: a module that exports `start` and `collect`. */
import type { Condition, PropertyValue, ResourceUsage } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import type { Logger } from '@flotilla/kube';
import type { InformerSet } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';

export interface PropertyProvider {
  /**
   * Called once, when the member first joins. Resolves when `collect` may be called. If it rejects, or takes longer than ten
   * seconds, `collect` is never called.
   */
  start(dependencies: ProviderDependencies): Promise<void> | void;
  /** Called for every heartbeat. After ten seconds the signal aborts and the answer is ignored. */
  collect(signal: AbortSignal): Promise<CollectedProperties> | CollectedProperties;
}

export interface ProviderDependencies {
  /** Has the agent's permissions on the member. */
  readonly member: Client;
  /** The agent's informers on the member. Each further kind costs one watch. */
  readonly informers: InformerSet;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when the agent stops. */
  readonly signal: AbortSignal;
}

export interface CollectedProperties {
  readonly properties: Readonly<Record<string, PropertyValue>>;
  readonly resources: ResourceUsage;
  /** Names of Works by namespace, empty for a namespace without a Work. Absent if the provider reports no namespaces. */
  readonly namespaces?: Readonly<Record<string, string>>;
  readonly conditions?: readonly ProviderCondition[];
}

/** The agent adds generation and time. */
export type ProviderCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;
