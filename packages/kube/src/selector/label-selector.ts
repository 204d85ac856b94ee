import { compareBytes } from '../go/format.ts';
import {
  compileRequirement,
  holdsWithoutLabel,
  printRequirement,
  type Labels,
  type Requirement,
} from './requirement.ts';

type Check = (labels: Labels) => boolean;

const noLabels: Labels = {};

/** Requirements that must all hold, compiled once. */
export class LabelSelector {
  static readonly everything = new LabelSelector([]);
  /** What an absent selector means. */
  static readonly nothing = new LabelSelector([], true);

  readonly requirements: readonly Requirement[];
  /** Requirements that fail without their label. */
  readonly #needed: readonly Check[];
  /** The others, by label. A selector may have 100,000 of them, but an object has few labels. */
  readonly #denied: ReadonlyMap<string, readonly Check[]>;
  readonly #selectsNothing: boolean;

  constructor(requirements: readonly Requirement[], selectsNothing = false) {
    this.requirements = requirements.toSorted((a, b) => compareBytes(a.key, b.key));
    this.#needed = this.requirements.filter((one) => !holdsWithoutLabel(one)).map(compileRequirement);
    this.#denied = checksByLabel(this.requirements.filter(holdsWithoutLabel));
    this.#selectsNothing = selectsNothing;
  }

  /** Whether the selector selects every object. */
  get isEmpty(): boolean {
    return this.requirements.length === 0 && !this.#selectsNothing;
  }

  get selectsNothing(): boolean {
    return this.#selectsNothing;
  }

  matches(labels: Labels = noLabels): boolean {
    if (this.#selectsNothing) return false;
    for (const holds of this.#needed) {
      if (!holds(labels)) return false;
    }
    return this.#denied.size === 0 || this.#allows(labels);
  }

  /** The value that the label must equal, if there is exactly one. */
  exactValueOf(key: string): string | undefined {
    const requirement = this.requirements.find((one) => one.key === key);
    if (requirement === undefined || requirement.values.length !== 1) return undefined;
    return ['=', '==', 'in'].includes(requirement.operator) ? requirement.values[0] : undefined;
  }

  toString(): string {
    return this.requirements.map(printRequirement).join(',');
  }

  #allows(labels: Labels): boolean {
    for (const label of Object.keys(labels)) {
      for (const holds of this.#denied.get(label) ?? []) {
        if (!holds(labels)) return false;
      }
    }
    return true;
  }
}

function checksByLabel(requirements: readonly Requirement[]): Map<string, Check[]> {
  const checks = new Map<string, Check[]>();
  for (const requirement of requirements) {
    const others = checks.get(requirement.key);
    if (others === undefined) checks.set(requirement.key, [compileRequirement(requirement)]);
    else others.push(compileRequirement(requirement));
  }
  return checks;
}
