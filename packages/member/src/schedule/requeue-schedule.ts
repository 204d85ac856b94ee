/**
 * When a Work is looked at again though nothing was heard of it: soon while it is new, ever more rarely while nothing changes.
 * Changes on the member are watched; this is the net below that, and the only way to see what cannot be watched.
 */
import { soundSettings, type RequeueSettings } from './requeue-settings.ts';

/** What the last look at a Work has found. */
export interface WorkOutcome {
  readonly generation: number;
  /** Of each manifest: `applyResult,availabilityResult`. */
  readonly results: readonly string[];
  /** Available or DiffReported is True for this generation. */
  readonly isSettled: boolean;
}

interface Look {
  readonly count: number;
  readonly delayMs: number;
  readonly generation: number;
  readonly results: string;
}

/** Counting further changes nothing: by then every schedule has reached its longest delay. */
const maxCount = 199;

export class RequeueSchedule {
  readonly #settings: RequeueSettings;
  readonly #looks = new Map<string, Look>();

  constructor(settings?: RequeueSettings) {
    this.#settings = soundSettings(settings);
  }

  /** After how many milliseconds to look again. */
  delayAfter(key: string, { generation, results, isSettled }: WorkOutcome): number {
    const last = this.#looks.get(key);
    const now = { generation, results: results.join('\n') };
    const isUnchanged = last?.generation === generation && last.results === now.results;
    const { count, delayMs } = isUnchanged ? last : { count: 0, delayMs: 0 };
    const next = nextDelay({ count, lastMs: delayMs, isSettled }, this.#settings);
    this.#looks.set(key, { ...now, count: Math.min(count + 1, maxCount), delayMs: next });
    return next;
  }

  /** The Work is gone. */
  forget(key: string): void {
    this.#looks.delete(key);
  }
}

interface Repetition {
  /** How often the same was found before. */
  readonly count: number;
  readonly lastMs: number;
  readonly isSettled: boolean;
}

function nextDelay({ count, lastMs, isSettled }: Repetition, settings: RequeueSettings): number {
  const { fixedAttempts, fixedMs, initialSlowMs, maxSlowMs, maxFastMs, slowBase, fastBase } = settings;
  if (count < fixedAttempts) return Math.min(fixedMs, maxFastMs);
  if (count === fixedAttempts) return Math.min(initialSlowMs, maxFastMs);
  const slowMs = lastMs * slowBase;
  const isFast = (isSettled && settings.skipsToFastWhenSettled) || lastMs >= maxSlowMs || slowMs > maxSlowMs;
  return Math.min(isFast ? lastMs * fastBase : slowMs, maxFastMs);
}
