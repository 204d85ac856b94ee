/**
 * Decides when a Work gets its next turn. Changes on hub and member enqueue it; the delays here limit how often. They also
 * cover kinds that cannot be watched, and missed changes.
 */
import type { Work } from '@flotilla/api';
import type { Priority } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { validSettings, type RequeueSettings } from './requeue-settings.ts';
import { highestPriority, priorityOfChange, type PrioritySettings } from './work-priority.ts';

/** Poll intervals for states whose end may cause no event. */
export const pollMs = {
  /** Objects of a deleted Work are being deleted. The poll reads from informers, so it costs no request. */
  deletion: 30_000,
  /** The definition of the kind was just created, so the member serves it soon. */
  expectedKind: 250,
  /** An AppliedWork of an earlier membership is being deleted with its objects. */
  deletedAppliedWork: 5_000,
} as const;

/** How long the first report of a generation waits for objects that are applied and not available yet. */
export const heldReportMs = 500;

/** Limits turns after changes on the member: the first of a burst start at once, further ones after growing delays. */
const burstLimits = {
  atOnce: 5,
  firstDelayMs: 20,
  /** So an object that another controller keeps changing is repaired twice a second. */
  maxDelayMs: 500,
  /** A burst ends after this long without a turn. */
  quietMs: 1_000,
} as const;

/** Every schedule has reached its longest delay by then. */
const maxCount = 199;

/** What a turn of a Work found. */
export interface WorkOutcome {
  readonly generation: number;
  /** Of each manifest: `applyResult,availabilityResult`. */
  readonly results: readonly string[];
  /** Available or DiffReported is True for this generation. */
  readonly isSettled: boolean;
}

interface RequeueState {
  /** How many turns before this one found the same. */
  readonly count: number;
  readonly delayMs: number;
  readonly generation: number;
  readonly results: string;
}

interface Burst {
  readonly turns: number;
  readonly lastTurnAt: number;
}

export interface WorkScheduleOptions {
  readonly clock: Clock;
  readonly requeue?: RequeueSettings | undefined;
  /** Without these, all live changes of Works have the same priority. */
  readonly priorities?: PrioritySettings | undefined;
}

export class WorkSchedule {
  readonly #clock: Clock;
  readonly #settings: RequeueSettings;
  readonly #priorities: PrioritySettings | undefined;
  /** By name of the Work. */
  readonly #requeueStates = new Map<string, RequeueState>();
  readonly #bursts = new Map<string, Burst>();

  constructor({ clock, requeue, priorities }: WorkScheduleOptions) {
    this.#clock = clock;
    this.#settings = validSettings(requeue);
    this.#priorities = priorities;
  }

  /** The priority of a change on the hub; `old` is the Work before it. What has begun comes first: its report is `now`. */
  priorityOf(old: Work | undefined, isLive: boolean): Priority {
    if (!isLive) return 'later';
    if (this.#priorities === undefined || old === undefined) return 'soon';
    const priority = priorityOfChange(old, new Date(this.#clock.now()), this.#priorities);
    return priority === highestPriority ? 'soon' : 'later';
  }

  delayAfterMemberChange(work: string): number {
    const excess = this.#turnsInBurst(work) - burstLimits.atOnce;
    return excess < 0 ? 0 : Math.min(burstLimits.firstDelayMs * 2 ** excess, burstLimits.maxDelayMs);
  }

  turnStarts(work: string): void {
    this.#bursts.set(work, { turns: this.#turnsInBurst(work) + 1, lastTurnAt: this.#clock.elapsed() });
  }

  /** After a turn that had nothing to do, because informers show all objects as the last round left them: any change enqueues the Work. */
  get longestDelayMs(): number {
    return this.#settings.maxFastMs;
  }

  /** The delay until the next turn if nothing changes: it grows while turns find the same. */
  delayAfterTurn(work: string, { generation, results, isSettled }: WorkOutcome): number {
    const last = this.#requeueStates.get(work);
    const now = { generation, results: results.join('\n') };
    const isUnchanged = last?.generation === generation && last.results === now.results;
    const { count, delayMs } = isUnchanged ? last : { count: 0, delayMs: 0 };
    const next = nextDelay({ count, delayMs }, isSettled, this.#settings);
    this.#requeueStates.set(work, { ...now, count: Math.min(count + 1, maxCount), delayMs: next });
    return next;
  }

  forget(work: string): void {
    this.#requeueStates.delete(work);
    this.#bursts.delete(work);
  }

  #turnsInBurst(work: string): number {
    const burst = this.#bursts.get(work);
    return burst !== undefined && this.#clock.elapsed() - burst.lastTurnAt < burstLimits.quietMs ? burst.turns : 0;
  }
}

function nextDelay(
  { count, delayMs: lastMs }: Pick<RequeueState, 'count' | 'delayMs'>,
  isSettled: boolean,
  settings: RequeueSettings,
): number {
  const { fixedAttempts, fixedMs, initialSlowMs, maxSlowMs, maxFastMs, slowBase, fastBase } = settings;
  if (count < fixedAttempts) return Math.min(fixedMs, maxFastMs);
  if (count === fixedAttempts) return Math.min(initialSlowMs, maxFastMs);
  const slowMs = lastMs * slowBase;
  const isFast = (isSettled && settings.skipsToFastWhenSettled) || lastMs >= maxSlowMs || slowMs > maxSlowMs;
  return Math.min(isFast ? lastMs * fastBase : slowMs, maxFastMs);
}
