/**
 * How long a placement waits for further changes before its status is written. A status has an entry for each cluster, and each entry
 * changes several times during a rollout. Without the wait, n clusters would cost n writes of n entries, several times over.
 */
import { bindingConditions, type Binding } from '@flotilla/api';
import { jsonEquals, keyText, type Kind, type KubeObject } from '@flotilla/kube';
import type { Indexes, Watched } from '@flotilla/runtime';
import { currentCondition, hasFailed, statusNow } from '../family/binding-progress.ts';
import { byPlacement, placementOf } from '../family/placement-key.ts';

const unsettledIndex = 'unsettled-of-placement';

/** For `indexes` of bindings. */
export const bindingIndexes: Indexes = {
  ...byPlacement,
  [unsettledIndex]: (object) => {
    const key = placementOf(object);
    return key === undefined || isSettled(object as Readonly<Binding>) ? [] : [keyText(key)];
  },
};

const maxDelayMs = 1000;

/**
 * Clusters that settled have nothing more to say, so their placement waits only for others that settle in the same moment. While some have
 * not settled, more changes follow soon.
 */
export function statusDelay(binding: Kind): NonNullable<Watched['afterMs']> {
  return (key, cache) => {
    const clusters = cache.count(binding, 'placement', keyText(key));
    const isSettling = cache.count(binding, unsettledIndex, keyText(key)) > 0;
    const delayMs = isSettling || clusters === 0 ? 20 + 10 * clusters : 5 + clusters / 2;
    return Math.min(maxDelayMs, delayMs);
  };
}

/** Whether nothing about the binding changes by itself: the resources are available, compared, or failed. */
function isSettled(binding: Readonly<Binding>): boolean {
  const { spec, status } = binding;
  if (spec === undefined || status === undefined) return false;
  if (spec.applyStrategy?.type === 'ReportDiff') {
    return currentCondition(binding, bindingConditions.diffReported) !== undefined;
  }
  return statusNow(binding, bindingConditions.available) === 'True' || hasFailed(binding);
}

/** For `concerns` of bindings: whether the status of the placement, or the history of its snapshots, may change. */
export function isReported(now: KubeObject | undefined, old: KubeObject | undefined): boolean {
  if (now === undefined || old === undefined) return true;
  return (
    now.metadata.generation !== old.metadata.generation ||
    now.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    !jsonEquals(now['status'] ?? null, old['status'] ?? null)
  );
}
