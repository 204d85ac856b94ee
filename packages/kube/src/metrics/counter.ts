import type { Sample, Series } from './metric-family.ts';

/** Only grows. */
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
