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
  /** Shared by the thread; default: its own. */
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Installs a deleted definition of AppliedWork again. Without it, requests fail then. */
  readonly appliedWorkKind?: Pick<AppliedWorkKind, 'request'>;
  readonly limits?: Partial<ApplierLimits>;
  /** When Works are reconciled again without a change. */
  readonly requeue?: RequeueSettings;
  /** With these, changes of unhealthy Works come before changes of healthy ones. */
  readonly priorities?: PrioritySettings;
  readonly trackJobs?: boolean;
}

export interface ApplierLimits {
  /** Works reconciled at once. */
  readonly works: number;
  /** Manifests of one Work applied at once. */
  readonly manifests: number;
  /** A deletion of a Work that takes longer counts as stuck. */
  readonly deletionWaitMs: number;
}

export const defaultLimits: ApplierLimits = { works: 5, manifests: 4, deletionWaitMs: 5 * 60_000 };
