import type { Result } from '../value.ts';
import { endAtCostLimit } from '../values/work.ts';

/** One evaluation: the values of its variables, each in a place of its own, and what it has cost so far. */
export class Frame {
  readonly slots: (Result | undefined)[];
  readonly limit: number;
  /** May be raised without a look at the limit where that is by little, and not in a loop. */
  cost = 0;

  constructor(slots: (Result | undefined)[], limit: number) {
    this.slots = slots;
    this.limit = limit;
  }

  /** Adds what may be large, and ends the evaluation if that is too much. */
  charge(amount: number): void {
    this.cost += amount;
    if (this.cost > this.limit) endAtCostLimit();
  }
}
