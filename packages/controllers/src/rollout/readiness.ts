/** Whether a binding's cluster has what it should have, at this moment. */
import { bindingConditions, bindingReasons, workReasons, type Binding } from '@flotilla/api';
import { currentCondition } from '../family/binding-progress.ts';

export interface Readiness {
  readonly isReady: boolean;
  /** When it becomes ready by the passage of time alone. */
  readonly readyInMs?: number;
}

const notReady: Readiness = { isReady: false };
const ready: Readiness = { isReady: true };

/** The second is the reason of KubeFleet's older releases. */
const untrackable: ReadonlySet<string> = new Set([bindingReasons.notAllTrackable, workReasons.notTrackable]);

/**
 * A cluster is ready if its resources are available, or if their differences are reported. Resources whose availability cannot be
 * tracked count as available some time after they were applied.
 */
export function readinessOf(binding: Readonly<Binding>, unavailablePeriodMs: number, now: Date): Readiness {
  if (currentCondition(binding, bindingConditions.diffReported)?.status === 'True') return ready;
  const available = currentCondition(binding, bindingConditions.available);
  if (available?.status !== 'True') return notReady;
  if (!untrackable.has(available.reason)) return ready;
  const waitedMs = now.getTime() - Date.parse(available.lastTransitionTime);
  if (!(waitedMs <= unavailablePeriodMs)) return ready;
  // A clock that was set back must not lengthen the wait.
  return { isReady: false, readyInMs: Math.min(unavailablePeriodMs, unavailablePeriodMs - waitedMs) + 1 };
}
