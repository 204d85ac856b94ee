import type { Client } from '@flotilla/client';
import type { Logger, MetricsRegistry } from '@flotilla/kube';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { AppliedWorkKind } from '../applied-work-kind.ts';
import type { RequeueSettings } from '../schedule/requeue-settings.ts';
import type { PrioritySettings } from '../schedule/work-priority.ts';

export interface ApplierOptions {
  /** The member's name in the fleet. */
  readonly name: string;
  readonly hub: Client;
  readonly member: Client;
  readonly clock: Clock;
  /** Of the thread; default: its own. */
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Installs the definition of AppliedWork again when it is gone; without it, that is a failure. */
  readonly appliedWorkKind?: Pick<AppliedWorkKind, 'request'>;
  readonly limits?: Partial<ApplierLimits>;
  /** When Works are looked at again though nothing was heard of them. */
  readonly requeue?: RequeueSettings;
  /** With these, changes to Works that are well let others go first. */
  readonly priorities?: PrioritySettings;
  readonly trackJobs?: boolean;
}

export interface ApplierLimits {
  /** Works in work at once. */
  readonly works: number;
  /** Manifests of one Work in work at once. */
  readonly manifests: number;
  /** After so long the deletion of a Work is stuck. */
  readonly deletionWaitMs: number;
}

export const defaultLimits: ApplierLimits = { works: 5, manifests: 4, deletionWaitMs: 5 * 60_000 };
