import type { Admitted, Attributes, ChargeList, PhaseList } from './admission.ts';
import type { PhaseTimes } from './metrics/phase-times.ts';
import type { Write } from '../store/store.ts';

/** Runs the plugins of a phase in order. Returns a promise only if one of them does. */
export function runPhase(attributes: Attributes, list: PhaseList): Admitted {
  const times = attributes.server.admissionTimes.of(list);
  if (times.isDue()) return runTimed(attributes, list, times);
  const { calls } = list;
  let at = 0;
  try {
    for (; at < calls.length; at++) {
      const waiting = calls[at]?.(attributes);
      // The time until here is that of a usual run.
      if (waiting instanceof Promise) return new TimedRun(attributes, list, times, at).rest(waiting);
    }
  } catch (error) {
    if (!attributes.retry?.isTooHeavy(error)) times.rejected(at);
    throw error;
  }
  times.passed();
}

/** Must be called in the turn that stores the object. */
export function runCharges(attributes: Attributes, list: ChargeList): readonly Write[] {
  const times = attributes.server.admissionTimes.of(list);
  const start = times.isDue() ? performance.now() : undefined;
  let writes: readonly Write[];
  try {
    const [only] = list.calls;
    writes = list.calls.length === 1 && only ? only(attributes) : list.calls.flatMap((charge) => charge(attributes));
  } catch (error) {
    times.rejected(0);
    throw error;
  }
  if (start === undefined) times.passed();
  else times.timed([(performance.now() - start) / 1000]);
  return writes;
}

function runTimed(attributes: Attributes, list: PhaseList, times: PhaseTimes): Admitted {
  const run = new TimedRun(attributes, list, times, 0);
  const { calls } = list;
  let at = 0;
  try {
    for (; at < calls.length; at++) {
      const waiting = calls[at]?.(attributes);
      if (waiting instanceof Promise) return run.rest(waiting);
      run.ended();
    }
  } catch (error) {
    run.rejected(error);
    throw error;
  }
  times.timed(run.seconds);
}

/** A run whose plugins are timed, from one of them on. */
class TimedRun {
  readonly seconds: number[];
  readonly #attributes: Attributes;
  readonly #list: PhaseList;
  readonly #times: PhaseTimes;
  #since = performance.now();

  constructor(attributes: Attributes, list: PhaseList, times: PhaseTimes, at: number) {
    this.#attributes = attributes;
    this.#list = list;
    this.#times = times;
    this.seconds = times.sample.slice(0, at);
  }

  /** The next plugin has ended. */
  ended(): void {
    const now = performance.now();
    this.seconds.push((now - this.#since) / 1000);
    this.#since = now;
  }

  rejected(error: unknown): void {
    // The worker will count the request.
    if (this.#attributes.retry?.isTooHeavy(error)) return;
    this.ended();
    this.#times.rejected(this.seconds.length - 1, this.seconds, this.#attributes.reinvocation?.earlierSeconds);
  }

  /** Runs the plugins that are left, once the current one has ended. */
  async rest(waiting: Promise<void>): Promise<void> {
    const { calls } = this.#list;
    try {
      await waiting;
      this.ended();
      while (this.seconds.length < calls.length) {
        await calls[this.seconds.length]?.(this.#attributes);
        this.ended();
      }
    } catch (error) {
      this.rejected(error);
      throw error;
    }
    this.#times.waited(this.seconds, this.#stepSeconds());
  }

  /** Both runs of the plugins that admit are one step. */
  #stepSeconds(): number | undefined {
    const { reinvocation } = this.#attributes;
    const seconds = this.seconds.reduce((total, some) => total + some, reinvocation?.earlierSeconds ?? 0);
    if (this.#list.phase === 'validate' || !reinvocation?.shouldReinvoke || reinvocation.isReinvoke) return seconds;
    reinvocation.earlierSeconds = seconds;
    return undefined;
  }
}
