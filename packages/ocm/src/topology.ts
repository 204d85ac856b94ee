import type { SpreadConstraint } from '@flotilla/api';
import type { ClusterRow } from './cluster-row.ts';

/** A value of a topology key, with the number of selected clusters that have it. */
export interface Domain {
  readonly value: string;
  count: number;
}

/** The domains of one spread constraint. Clusters without its key belong to none. */
export class Topology {
  readonly constraint: SpreadConstraint;
  readonly #domains = new Map<string, Domain>();
  #smallest = 0;
  #largestExcess = 0;

  constructor(constraint: SpreadConstraint) {
    this.constraint = constraint;
  }

  /** Whether the constraint rules clusters out. Otherwise it lowers their scores. */
  get isHard(): boolean {
    return this.constraint.whenUnsatisfiable === 'DoNotSchedule';
  }

  domainOf({ labels, claims }: ClusterRow): Domain | undefined {
    const { topologyKey, topologyKeyType } = this.constraint;
    const values = topologyKeyType === 'Claim' ? claims : labels;
    const value = Object.hasOwn(values, topologyKey) ? values[topologyKey] : undefined;
    if (value === undefined) return undefined;
    const known = this.#domains.get(value);
    if (known !== undefined) return known;
    const domain = { value, count: 0 };
    this.#domains.set(value, domain);
    return domain;
  }

  /** Call after counts changed. */
  refresh(): void {
    let smallest = Infinity;
    let largest = 0;
    for (const { count } of this.#domains.values()) {
      smallest = Math.min(smallest, count);
      largest = Math.max(largest, count);
    }
    this.#smallest = this.#domains.size === 0 ? 0 : smallest;
    this.#largestExcess = this.#excessAt(largest);
  }

  /** By how much one more cluster in the domain exceeds the skew; 0 if it does not. */
  excess(domain: Domain | undefined): number {
    return domain === undefined ? 0 : this.#excessAt(domain.count);
  }

  /** Between 0, for the fullest domain or none, and 1. */
  preference(domain: Domain | undefined): number {
    if (domain === undefined) return 0;
    return this.#largestExcess === 0 ? 1 : 1 - this.excess(domain) / this.#largestExcess;
  }

  #excessAt(count: number): number {
    return Math.max(0, count + 1 - this.#smallest - this.constraint.maxSkew);
  }
}
