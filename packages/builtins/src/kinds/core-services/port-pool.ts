import { lowerBandSize, pickFree, type Random, type Range } from './pool-band.ts';

/** The node ports of a cluster, and which of them Services hold. Whoever stores Services keeps it in step. */
export class PortPool {
  readonly #range: Range;
  readonly #taken = new Set<number>();

  constructor({ first, last }: { readonly first: number; readonly last: number }) {
    const lower = lowerBandSize(last - first + 1, { step: 32, most: 128 });
    this.#range = { first, last, dynamicFrom: first + lower };
  }

  /** Why this port cannot be had; undefined when it can. */
  refusal(port: number): string | undefined {
    const { first, last } = this.#range;
    if (port < first || port > last) {
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    }
    return this.#taken.has(port) ? portTaken : undefined;
  }

  isTaken(port: number): boolean {
    return this.#taken.has(port);
  }

  /** A free port that is not among `others` either, or undefined when there is none. */
  pick(random: Random, others: ReadonlySet<number>): number | undefined {
    return pickFree(this.#range, (port) => this.#taken.has(port) || others.has(port), random);
  }

  take(port: number): void {
    this.#taken.add(port);
  }

  release(port: number): void {
    this.#taken.delete(port);
  }
}

export const portTaken = 'provided port is already allocated';
