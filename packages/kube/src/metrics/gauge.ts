import type { Sample, Series } from './metric-family.ts';

/** Goes up and down. */
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
