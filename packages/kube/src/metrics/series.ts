import type { Sample, Series } from './metric-family.ts';

/** Of a histogram without values, as most are. */
const noValues: number[] = [];

/** Counts values by upper bound. */
export class Histogram implements Series {
  readonly #bounds: readonly number[];
  /**
   * The sum, then one count for each bound and one for larger values, as far as there are any. Not cumulative. One array takes the least
   * memory: each server of a fleet has dozens of histograms.
   */
  #sumAndCounts: number[] = noValues;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(value: number, times = 1): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
    if (this.#sumAndCounts.length < at + 2) this.#sumAndCounts = extended(this.#sumAndCounts, at + 2);
    const values = this.#sumAndCounts;
    values[0] = (values[0] ?? 0) + value * times;
    values[at + 1] = (values[at + 1] ?? 0) + times;
  }

  get count(): number {
    return this.#sumAndCounts.slice(1).reduce((sum, count) => sum + count, 0);
  }

  *samples(): Generator<Sample, void> {
    let count = 0;
    for (const [index, extraLabel] of bucketLabels(this.#bounds).entries()) {
      count += this.#sumAndCounts[index + 1] ?? 0;
      yield { suffix: '_bucket', extraLabel, value: count };
    }
    yield { suffix: '_sum', value: this.#sumAndCounts[0] ?? 0 };
    yield { suffix: '_count', value: count };
  }
}

function extended(values: readonly number[], length: number): number[] {
  return Array.from({ length }, (_, at) => values[at] ?? 0);
}

type BucketLabel = readonly ['le', string];

/** All series of a family share their bounds, so the labels are printed once. */
const labelsOfBounds = new WeakMap<readonly number[], readonly BucketLabel[]>();

function bucketLabels(bounds: readonly number[]): readonly BucketLabel[] {
  const known = labelsOfBounds.get(bounds);
  if (known !== undefined) return known;
  const labels = [...bounds, Number.POSITIVE_INFINITY].map((bound): BucketLabel => ['le', sampleValue(bound)]);
  labelsOfBounds.set(bounds, labels);
  return labels;
}

/** `exponentialBounds(1, 2, 3)` is 1, 2, 4. */
export function exponentialBounds(first: number, factor: number, count: number): readonly number[] {
  const bounds: number[] = [];
  for (let bound = first; bounds.length < count; bound *= factor) bounds.push(bound);
  return bounds;
}

export class Counter implements Series {
  #value = 0;

  add(amount = 1): void {
    this.#value += amount;
  }

  get value(): number {
    return this.#value;
  }

  samples(): Iterable<Sample> {
    return [{ value: this.#value }];
  }
}

export class Gauge implements Series {
  #value = 0;

  set(value: number): void {
    this.#value = value;
  }

  add(amount = 1): void {
    this.#value += amount;
  }

  get value(): number {
    return this.#value;
  }

  samples(): Iterable<Sample> {
    return [{ value: this.#value }];
  }
}

/**
 * A number as the Go client of Prometheus prints it. The exponent has at least two digits and appears below 1e-4 and
 * from 1e21 on.
 */
export function sampleValue(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return Object.is(value, -0) ? '-0' : String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${Math.abs(power).toString().padStart(2, '0')}`;
}
