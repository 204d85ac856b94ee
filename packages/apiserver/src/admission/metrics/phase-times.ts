import { runsPerSample, SampleTurns } from '@flotilla/kube';
import type { PhaseList } from '../admission.ts';
import type { PhaseRun } from './admission-metrics.ts';

/** A run that takes longer is not typical: the process may have paused. In seconds, Kubernetes' smallest bucket. */
const slowSeconds = 0.005;

/**
 * How often the plugins of a phase have run for an operation, and for how long. Counts are exact. One run of several is timed,
 * and stands for those until the next one; a run that waits is always timed.
 */
export class PhaseTimes {
  readonly #list: PhaseList<unknown>;
  readonly #report: (run: PhaseRun) => void;
  readonly #runsPerSample: number;
  readonly #turns: SampleTurns;
  /** The seconds of each plugin in the last run that was timed, and how many runs it stands for. */
  #sample: readonly number[];
  #sampled = 0;
  /** Of all runs that are not reported yet, without those of the last sample. */
  readonly #sums: number[];
  #count = 0;

  constructor(list: PhaseList<unknown>, report: (run: PhaseRun) => void, perSample: number) {
    this.#list = list;
    this.#report = report;
    this.#runsPerSample = perSample;
    this.#turns = new SampleTurns(perSample);
    this.#sample = list.names.map(() => 0);
    this.#sums = list.names.map(() => 0);
  }

  /** Whether this run is one to time. */
  isDue(): boolean {
    return this.#turns.isDue();
  }

  /** A run ended that was not timed. */
  passed(): void {
    this.#sampled++;
  }

  /** A run ended that was timed and did not wait. */
  timed(seconds: readonly number[]): void {
    if (this.#runsPerSample === 1 || sum(seconds) > slowSeconds) return this.waited(seconds, sum(seconds));
    this.#addSample();
    this.#sample = seconds;
    this.#sampled = 1;
  }

  /** A run ended that waited. `stepSeconds` is undefined if the plugins run once more for the same request. */
  waited(seconds: readonly number[], stepSeconds: number | undefined): void {
    this.#report({ ...this.#labels(), seconds, stepSeconds, times: 1 });
  }

  /** A plugin refused the request. `seconds` is known if the run was timed. */
  rejected(at: number, seconds: readonly number[] = this.#sample, earlierSeconds = 0): void {
    const until = seconds.slice(0, at + 1);
    const stepSeconds = sum(until) + earlierSeconds;
    this.#report({ ...this.#labels(), seconds: until, stepSeconds, times: 1, rejectedAt: at });
  }

  get sample(): readonly number[] {
    return this.#sample;
  }

  /** Reports all runs that are only counted. */
  flush(): void {
    this.#addSample();
    const times = this.#count;
    if (times === 0) return;
    const seconds = this.#sums.map((total) => total / times);
    this.#report({ ...this.#labels(), seconds, stepSeconds: sum(seconds), times });
    this.#sums.fill(0);
    this.#count = 0;
  }

  #labels(): Pick<PhaseRun, 'phase' | 'operation' | 'names' | 'isStep'> {
    const { phase, operation, names, isStep } = this.#list;
    return { phase, operation, names, isStep };
  }

  #addSample(): void {
    this.#sample.forEach((seconds, at) => (this.#sums[at] = (this.#sums[at] ?? 0) + seconds * this.#sampled));
    this.#count += this.#sampled;
    this.#sampled = 0;
  }
}

function sum(seconds: readonly number[]): number {
  return seconds.reduce((total, some) => total + some, 0);
}

/** The times of all phases of a server. Made when a phase first runs: most embedded servers see few operations. */
export class AdmissionTimes {
  readonly #report: (run: PhaseRun) => void;
  readonly #runsPerSample: number;
  readonly #times: PhaseTimes[] = [];

  /** With `perSample` 1 every run is reported at once. */
  constructor(report: (run: PhaseRun) => void, perSample = runsPerSample) {
    this.#report = report;
    this.#runsPerSample = perSample;
  }

  of(list: PhaseList<unknown>): PhaseTimes {
    return (this.#times[list.index] ??= new PhaseTimes(list, this.#report, this.#runsPerSample));
  }

  /** Call before the metrics are read. */
  flush(): void {
    for (const times of this.#times) times?.flush();
  }
}
