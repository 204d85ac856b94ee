/**
 * How long a placement waits for further changes before its status is written. A status has an entry for each cluster, and each entry
 * changes several times during a rollout. Without the wait, n clusters would cost n writes of n entries, several times over.
 */
import { bindingConditions, type Binding } from '@flotilla/api';
import { jsonEquals, keyText, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { Cache, Indexes, Watched } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { currentCondition, hasFailed, statusNow } from '../family/binding-progress.ts';
import { byPlacement, countOfPlacement, placementOf } from '../family/placement-key.ts';

const unsettledIndex = 'unsettled-of-placement';

/** For `indexes` of bindings. */
export const bindingIndexes: Indexes = {
  ...byPlacement,
  [unsettledIndex]: (object) => {
    const key = placementOf(object);
    return key === undefined || isSettled(object as Readonly<Binding>) ? [] : [keyText(key)];
  },
};

/** Over this time changes are counted, to know how busy the fleet is. */
const ratePeriodMs = 5000;

/** How long a new placement has no status. Small ones are available by then, and get one status instead of three. */
const firstStatusMs = 50;

const maxPauseMs = 1000;

/** Beyond it, no moments are remembered, and a status may be written without a pause. */
const maxPlacements = 10_000;

/** Delays of the placements of one family. */
export class StatusDelay {
  readonly #binding: Kind;
  readonly #clock: Clock;
  /** Changes of bindings; those of the past count less and less. */
  #changes = 0;
  #countedAt = 0;
  /** When the status of a placement whose clusters have settled is due, or was. */
  readonly #settledAt = new Map<string, number>();

  constructor(binding: Kind, clock: Clock) {
    this.#binding = binding;
    this.#clock = clock;
  }

  /** After a change of a binding. */
  readonly ofBinding: AfterMs = (key, cache) => {
    this.#count();
    return this.ofPolicySnapshot(key, cache);
  };

  /**
   * If all clusters have settled, nothing more follows, and the status is written at once. Clusters may still report something new, each for
   * itself: then there is a pause between two statuses, which is longer for more clusters.
   */
  readonly ofPolicySnapshot: AfterMs = (key, cache) => {
    const clusters = this.#clustersOf(key, cache);
    const isSettling = cache.count(this.#binding, unsettledIndex, keyText(key)) > 0;
    return clusters === 0 || isSettling ? this.ofResourceSnapshot(key, cache) : this.#ofSettled(key, clusters);
  };

  #ofSettled(key: ObjectKey, clusters: number): number {
    const now = this.#clock.elapsed();
    const before = this.#settledAt.get(keyText(key)) ?? -Infinity;
    const pauseMs = Math.min(maxPauseMs, 2 * clusters);
    // Before that moment has come, the placement waits for it already.
    const at = before > now ? before : Math.max(now + 5, before + pauseMs);
    if (this.#settledAt.size >= maxPlacements) this.#settledAt.clear();
    this.#settledAt.set(keyText(key), at);
    return at - now;
  }

  /**
   * While clusters have not settled, more changes follow soon. If many placements roll out at once, statuses in between would take the time
   * that the rollouts need: 1,000 placements on 100 clusters have 100 MB of status.
   */
  readonly ofResourceSnapshot: AfterMs = (key, cache) => {
    const clusters = this.#clustersOf(key, cache);
    if (clusters === 0) return firstStatusMs;
    const changesPerSecond = (this.#decayed() / ratePeriodMs) * 1000;
    return 20 + Math.min(maxPauseMs, 10 * clusters) + Math.min(30_000, 20 * changesPerSecond);
  };

  #clustersOf(key: ObjectKey, cache: Cache): number {
    return countOfPlacement(cache, this.#binding, key);
  }

  #count(): void {
    this.#changes = this.#decayed() + 1;
    this.#countedAt = this.#clock.elapsed();
  }

  #decayed(): number {
    return this.#changes * Math.exp((this.#countedAt - this.#clock.elapsed()) / ratePeriodMs);
  }
}

type AfterMs = NonNullable<Watched['afterMs']>;

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
