/**
 * Whoever knows something about a member that placements may choose by. Anybody can write one: a module that exports `start`
 * and `collect`.
 */
import type { Condition, PropertyValue, ResourceUsage } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import type { Logger } from '@flotilla/kube';
import type { InformerSet } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';

export interface PropertyProvider {
  /**
   * Called once, when the member first joins. Resolves as soon as the provider can be asked; one that rejects, or takes longer
   * than ten seconds, is not asked at all.
   */
  start(surroundings: ProviderSurroundings): Promise<void> | void;
  /** Called for every heartbeat; the signal ends after ten seconds, when nobody waits for the answer any more. */
  collect(signal: AbortSignal): Promise<CollectedProperties> | CollectedProperties;
}

export interface ProviderSurroundings {
  /** Reads and writes on the member, with the agent's rights. */
  readonly member: Client;
  /** What the agent follows on the member; holding one more kind costs one more watch. */
  readonly informers: InformerSet;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends with the agent. */
  readonly signal: AbortSignal;
}

export interface CollectedProperties {
  readonly properties: Readonly<Record<string, PropertyValue>>;
  readonly resources: ResourceUsage;
  /** By namespace: the Work that it came with, empty for those of others. Absent where nobody asked for namespaces. */
  readonly namespaces?: Readonly<Record<string, string>>;
  readonly conditions?: readonly ProviderCondition[];
}

/** Generation and time are the agent's to fill in. */
export type ProviderCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;
