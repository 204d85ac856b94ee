import type { ClusterRow } from '../cluster-row.ts';
import type { SpreadConstraint } from './constraint.ts';

/** How chosen clusters are spread over the domains of one constraint. */
export class DomainCounts {
  readonly constraint: SpreadConstraint;
  readonly names: readonly string[];
  /** By position of a cluster; -1 if it lies in no domain. */
  readonly #domains: Int32Array;
  readonly #counts: Int32Array;
  smallest = 0;
  largest = 0;
  #secondSmallest = 0;

  /** `forms` says whether the cluster at a position makes its label a domain, `isChosen` whether it counts there. */
  constructor(
    constraint: SpreadConstraint,
    rows: readonly ClusterRow[],
    forms: (position: number) => boolean,
    isChosen: (position: number) => boolean,
  ) {
    const values = rows.map((row) => row.label(constraint.topologyKey));
    const numbers = new Map<string, number>();
    for (const [position, value] of values.entries()) {
      if (value !== undefined && forms(position) && !numbers.has(value)) numbers.set(value, numbers.size);
    }
    this.constraint = constraint;
    this.names = [...numbers.keys()];
    this.#domains = Int32Array.from(values, (value) => (value === undefined ? -1 : (numbers.get(value) ?? -1)));
    this.#counts = new Int32Array(numbers.size);
    for (const [position, domain] of this.#domains.entries()) {
      if (domain >= 0 && isChosen(position)) this.#counts[domain] = this.count(domain) + 1;
    }
    this.#measure();
  }

  domain(position: number): number {
    return this.#domains[position] ?? -1;
  }

  count(domain: number): number {
    return this.#counts[domain] ?? 0;
  }

  /** One more cluster of the domain is chosen. */
  add(domain: number): void {
    if (domain < 0) return;
    this.#counts[domain] = this.count(domain) + 1;
    this.#measure();
  }

  /** How the skew changes if one more cluster of the domain is chosen: -1, 0 or 1. */
  skewChange(domain: number): number {
    const count = this.count(domain);
    if (this.largest === this.smallest) return 1;
    if (count === this.smallest && this.smallest !== this.#secondSmallest) return -1;
    return count === this.largest ? 1 : 0;
  }

  isViolatedBy(skewChange: number): boolean {
    return this.largest - this.smallest + skewChange > this.constraint.maxSkew;
  }

  #measure(): void {
    let smallest = Infinity;
    let second = Infinity;
    let largest = 0;
    for (const count of this.#counts) {
      if (count < smallest) {
        second = smallest;
        smallest = count;
      } else if (count < second) {
        second = count;
      }
      if (count > largest) largest = count;
    }
    this.smallest = smallest;
    this.#secondSmallest = second === Infinity ? smallest : second;
    this.largest = largest;
  }
}
