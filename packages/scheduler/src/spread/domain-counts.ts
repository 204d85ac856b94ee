import type { ClusterView } from '../cluster-view.ts';
import type { SpreadConstraint } from './constraint.ts';

/** The score of a cluster that violates a ScheduleAnyway constraint. */
const violationPenalty = -1000;

/** Below every sum of other scores. */
export const refused = -1_000_000;

/** How chosen clusters are spread over the domains of one constraint. */
export class DomainCounts {
  readonly constraint: SpreadConstraint;
  readonly #names: readonly string[];
  /** By position of a cluster; -1 if it lacks the label. */
  readonly #domains: Int32Array;
  /** By domain; -1 for values of the label that form none. */
  readonly #counts: Int32Array;
  smallest = 0;
  largest = 0;
  #effectOnSmallest = 0;
  #effectOnLargest = 0;
  #effectOnOthers = 0;

  /** `forms` says whether the cluster at a position makes its label a domain, `isChosen` whether it counts there. */
  constructor(
    constraint: SpreadConstraint,
    view: ClusterView,
    forms: (position: number) => boolean,
    isChosen: (position: number) => boolean,
  ) {
    const { values, numbers } = view.labelValues(constraint.topologyKey);
    this.constraint = constraint;
    this.#names = values;
    this.#domains = numbers;
    this.#counts = new Int32Array(values.length).fill(-1);
    for (let position = 0; position < numbers.length; position++) {
      const domain = numbers[position] ?? -1;
      if (domain < 0) continue;
      if (this.count(domain) < 0 && forms(position)) this.#counts[domain] = 0;
      if (isChosen(position)) this.#counts[domain] = Math.max(this.count(domain), 0) + 1;
    }
    this.#measure();
  }

  /** -1 if the cluster lies in none. */
  domain(position: number): number {
    return this.#domains[position] ?? -1;
  }

  name(domain: number): string {
    return this.#names[domain] ?? '';
  }

  /** How many labels there are to tell clusters apart. */
  get size(): number {
    return this.#names.length;
  }

  count(domain: number): number {
    return this.#counts[domain] ?? -1;
  }

  /** One more cluster of the domain is chosen. */
  add(domain: number): void {
    if (domain < 0) return;
    this.#counts[domain] = this.count(domain) + 1;
    this.#measure();
  }

  /** What one more cluster of a domain adds to its spread score; `refused` if the constraint does not allow it. */
  effect(domain: number): number {
    if (domain < 0) return 0;
    const count = this.#counts[domain];
    if (count === this.smallest) return this.#effectOnSmallest;
    return count === this.largest ? this.#effectOnLargest : this.#effectOnOthers;
  }

  /** After a change of the counts. */
  #measure(): void {
    let smallest = Infinity;
    let second = Infinity;
    let largest = 0;
    for (const count of this.#counts) {
      if (count < 0) continue;
      if (count < smallest) {
        second = smallest;
        smallest = count;
      } else if (count < second) {
        second = count;
      }
      if (count > largest) largest = count;
    }
    const isEven = smallest === largest;
    this.smallest = smallest;
    this.largest = largest;
    // The emptiest domain closes the gap to the fullest, unless another one is as empty.
    this.#effectOnSmallest = isEven ? this.#effectOf(1) : this.#effectOf(smallest === second ? 0 : -1);
    this.#effectOnLargest = this.#effectOf(1);
    this.#effectOnOthers = this.#effectOf(0);
  }

  #effectOf(skewChange: number): number {
    if (this.largest - this.smallest + skewChange <= this.constraint.maxSkew) return 0 - skewChange;
    return this.constraint.isRequired ? refused : violationPenalty;
  }
}
