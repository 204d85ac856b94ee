import { isEqual, minus, nothing, plus, type Amounts } from './amounts.ts';

/** The sum of what each of many has, kept up as they come, change and go, so that nobody adds them up again. */
export class RunningSum {
  readonly #parts = new Map<string, Amounts>();
  #total = nothing;

  get total(): Amounts {
    return this.#total;
  }

  get count(): number {
    return this.#parts.size;
  }

  /** Undefined: it is gone. */
  set(key: string, amounts: Amounts | undefined): void {
    const old = this.#parts.get(key);
    if (amounts === undefined) this.#parts.delete(key);
    else this.#parts.set(key, amounts);
    if (old !== undefined && amounts !== undefined && isEqual(old, amounts)) return;
    this.#total = minus(plus(this.#total, amounts ?? nothing), old ?? nothing);
  }
}
