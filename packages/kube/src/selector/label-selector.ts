import { compareBytes } from '../go-format.ts';
import { compileRequirement, printRequirement, type Labels, type Requirement } from './requirement.ts';

const NO_LABELS: Labels = {};

/** Requirements that must all hold, compiled once and asked often. */
export class LabelSelector {
  static readonly everything = new LabelSelector([]);
  /** What an absent selector selects. */
  static readonly nothing = new LabelSelector([], true);

  readonly requirements: readonly Requirement[];
  readonly #checks: readonly ((labels: Labels) => boolean)[];
  readonly #selectsNothing: boolean;

  constructor(requirements: readonly Requirement[], selectsNothing = false) {
    this.requirements = requirements.toSorted((a, b) => compareBytes(a.key, b.key));
    this.#checks = this.requirements.map(compileRequirement);
    this.#selectsNothing = selectsNothing;
  }

  /** True when every object is selected. */
  get isEmpty(): boolean {
    return this.#checks.length === 0 && !this.#selectsNothing;
  }

  get selectsNothing(): boolean {
    return this.#selectsNothing;
  }

  matches(labels: Labels | undefined): boolean {
    if (this.#selectsNothing) return false;
    for (const holds of this.#checks) {
      if (!holds(labels ?? NO_LABELS)) return false;
    }
    return true;
  }

  /** The value that the label must have, where there is only one. */
  exactValueOf(key: string): string | undefined {
    const requirement = this.requirements.find((one) => one.key === key);
    if (requirement === undefined || requirement.values.length !== 1) return undefined;
    return ['=', '==', 'in'].includes(requirement.operator) ? requirement.values[0] : undefined;
  }

  toString(): string {
    return this.requirements.map(printRequirement).join(',');
  }
}
