import { parseQuantity, QuantityError, type Quantity } from '@flotilla/kube';

/** Doubles further apart than this fraction are in the order of the amounts that they approximate. */
const safeDistance = 1e-12;

/** A quantity that is compared many times. Exact; reads the quantity itself only where doubles are too close to tell. */
export class Amount {
  readonly approximate: number;
  readonly #isWhole: boolean;
  readonly #quantity: Quantity;

  constructor(quantity: Quantity) {
    const whole = quantity.isMultipleOf(0) ? Number(quantity.value()) : undefined;
    this.#quantity = quantity;
    this.#isWhole = whole !== undefined && Number.isSafeInteger(whole);
    this.approximate = this.#isWhole && whole !== undefined ? whole : quantity.toNumber();
  }

  /** Negative if this amount is less than the other. */
  compare(other: Amount): number {
    const difference = this.approximate - other.approximate;
    if (this.#isWhole && other.#isWhole) return difference;
    const largest = Math.max(Math.abs(this.approximate), Math.abs(other.approximate));
    if (Math.abs(difference) > largest * safeDistance) return difference;
    return this.#quantity.compare(other.#quantity);
  }

  toString(): string {
    return this.#quantity.toString();
  }
}

/** Undefined if the text is not a quantity. */
export function amountIn(text: string): Amount | undefined {
  try {
    return new Amount(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}
