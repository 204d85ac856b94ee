import { isEqual, minus, plus, zeroAmounts, type Amounts } from './amounts.ts';

/** A sum that is updated with each change of a part, so that reading it costs nothing. */
export class RunningSum {
  readonly #parts = new Map<string, Amounts>();
  #total = zeroAmounts;

  get total(): Amounts {
    return this.#total;
  }

  get count(): number {
    return this.#parts.size;
  }

  /** Removes the part if `amounts` is undefined. */
  set(key: string, amounts: Amounts | undefined): void {
    const old = this.#parts.get(key);
    if (amounts === undefined) this.#parts.delete(key);
    else this.#parts.set(key, amounts);
    if (old !== undefined && amounts !== undefined && isEqual(old, amounts)) return;
    this.#total = minus(plus(this.#total, amounts ?? zeroAmounts), old ?? zeroAmounts);
  }
}
