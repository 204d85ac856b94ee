/**
 * When a Work gets its next turn. Changes on both sides are watched and ask for one at once; the delays here keep those that
 * follow each other apart, and are the net below what cannot be watched or was not heard.
 */
import type { Work } from '@flotilla/api';
import type { Priority } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { soundSettings, type RequeueSettings } from './requeue-settings.ts';
import { highestPriority, priorityOfChange, type PrioritySettings } from './work-priority.ts';

/** Where an end is waited for that nothing may tell of. */
export const pollMs = {
  /** A deleted Work's objects take their time; a look at what is known already costs nothing. */
  deletion: 30_000,
  /** A kind whose definition has just come is served any moment. */
  comingKind: 250,
  /** An AppliedWork of an earlier membership goes, with all that it owns. */
  goingAppliedWork: 5_000,
} as const;

/** Changes on the member: so many turns in a row begin as soon as they are asked for, the next ones ever later. */
const wakes = {
  atOnce: 5,
  firstDelayMs: 20,
  /** A controller that fights us over an object is answered twice a second. */
  maxDelayMs: 500,
  /** After so much silence a row is over. */
  silenceMs: 1_000,
} as const;

/** Counting further changes nothing: by then every schedule has reached its longest delay. */
const maxCount = 199;

/** What the last look at a Work has found. */
export interface WorkOutcome {
  readonly generation: number;
  /** Of each manifest: `applyResult,availabilityResult`. */
  readonly results: readonly string[];
  /** Available or DiffReported is True for this generation. */
  readonly isSettled: boolean;
}

interface Look {
  /** How often the same was found before. */
  readonly count: number;
  readonly delayMs: number;
  readonly generation: number;
  readonly results: string;
}

interface Row {
  readonly turns: number;
  readonly at: number;
}

export interface WorkScheduleOptions {
  readonly clock: Clock;
  readonly requeue?: RequeueSettings | undefined;
  /** Without these, all live changes of Works are equal. */
  readonly priorities?: PrioritySettings | undefined;
}

export class WorkSchedule {
  readonly #clock: Clock;
  readonly #settings: RequeueSettings;
  readonly #priorities: PrioritySettings | undefined;
  /** By Work: what its last looks found. */
  readonly #looks = new Map<string, Look>();
  /** By Work: its turns that follow each other. */
  readonly #rows = new Map<string, Row>();

  constructor({ clock, requeue, priorities }: WorkScheduleOptions) {
    this.#clock = clock;
    this.#settings = soundSettings(requeue);
    this.#priorities = priorities;
  }

  /** Of a change on the hub; `old` is the Work before it. */
  priorityOf(old: Work | undefined, isLive: boolean): Priority {
    if (!isLive) return 'later';
    if (this.#priorities === undefined || old === undefined) return 'now';
    const priority = priorityOfChange(old, new Date(this.#clock.now()), this.#priorities);
    return priority === highestPriority ? 'now' : 'later';
  }

  /** After a change on the member. */
  delayOfWake(work: string): number {
    const more = this.#turnsInRow(work) - wakes.atOnce;
    return more < 0 ? 0 : Math.min(wakes.firstDelayMs * 2 ** more, wakes.maxDelayMs);
  }

  turnBegins(work: string): void {
    this.#rows.set(work, { turns: this.#turnsInRow(work) + 1, at: this.#clock.now() });
  }

  /** Though nothing was heard: soon while a Work is new, ever more rarely while nothing changes. */
  delayAfter(work: string, { generation, results, isSettled }: WorkOutcome): number {
    const last = this.#looks.get(work);
    const now = { generation, results: results.join('\n') };
    const isUnchanged = last?.generation === generation && last.results === now.results;
    const { count, delayMs } = isUnchanged ? last : { count: 0, delayMs: 0 };
    const next = nextDelay({ count, delayMs }, isSettled, this.#settings);
    this.#looks.set(work, { ...now, count: Math.min(count + 1, maxCount), delayMs: next });
    return next;
  }

  /** The Work is gone. */
  forget(work: string): void {
    this.#looks.delete(work);
    this.#rows.delete(work);
  }

  #turnsInRow(work: string): number {
    const row = this.#rows.get(work);
    return row !== undefined && this.#clock.now() - row.at < wakes.silenceMs ? row.turns : 0;
  }
}

function nextDelay(
  { count, delayMs: lastMs }: Pick<Look, 'count' | 'delayMs'>,
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
