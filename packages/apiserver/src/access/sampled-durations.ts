import { SampleTurns, type Histogram, type MetricFamily } from '@flotilla/kube';

/** A run that takes longer is not typical, and stands only for itself. */
const slowSeconds = 0.001;

/**
 * How long something takes that every request does. Counts are exact. One run of several is timed, and stands for those with the same
 * result until the next one.
 */
export class SampledDurations<Result extends string> {
  readonly #byResult: Record<Result, Sampled>;
  readonly #turns = new SampleTurns();

  constructor(family: MetricFamily<Histogram>, results: readonly Result[]) {
    const byResult: Partial<Record<Result, Sampled>> = {};
    for (const result of results) byResult[result] = { family, result, seconds: 0, runs: 0 };
    this.#byResult = byResult as Record<Result, Sampled>;
  }

  /** Returns what `end` wants: 0 unless this run is timed. */
  begin(): number {
    return this.#turns.isDue() ? performance.now() : 0;
  }

  end(result: Result, startedAt: number): void {
    const sampled = this.#byResult[result];
    if (startedAt === 0) {
      sampled.runs++;
      return;
    }
    const seconds = (performance.now() - startedAt) / 1000;
    if (seconds > slowSeconds) return this.waited(result, seconds);
    flush(sampled);
    sampled.seconds = seconds;
    sampled.runs = 1;
  }

  /** A run that its caller timed. */
  waited(result: Result, seconds: number): void {
    this.#byResult[result].family.with(result).observe(seconds);
  }

  /** Call before the metrics are read. */
  flush(): void {
    for (const result in this.#byResult) flush(this.#byResult[result]);
  }
}

/** The last run that was timed, and how many runs it stands for. */
interface Sampled {
  readonly family: MetricFamily<Histogram>;
  readonly result: string;
  seconds: number;
  runs: number;
}

function flush(sampled: Sampled): void {
  const { family, result, seconds, runs } = sampled;
  if (runs > 0) family.with(result).observe(seconds, runs);
  sampled.runs = 0;
}
