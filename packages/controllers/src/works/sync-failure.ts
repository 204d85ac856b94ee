import type { PlannedEvent } from '@flotilla/runtime';
import type { SyncStep } from './rendered-group.ts';

/** Why Works cannot be made, for the condition of this type. A change of something that the controller watches ends it. */
export interface SyncFailure {
  readonly step: SyncStep;
  readonly message: string;
  /** Since when it is expected to go away by itself. It becomes a status only after a while. */
  readonly waitingSince?: number;
  readonly event?: PlannedEvent;
}
