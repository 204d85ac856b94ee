import type { ClusterSelectorTerm } from '@flotilla/api';
import { labelSelectorFrom, LabelSelector, SelectorError } from '@flotilla/kube';
import { Unreadable, type ClusterRow } from '../cluster-row.ts';
import { CompiledPropertyRequirement } from './property-requirement.ts';
import type { Requirement, TermFailure } from './rule.ts';

/** Matches clusters whose labels and properties meet all requirements. */
export class CompiledTerm {
  /** Why no cluster can match. */
  readonly problem: string | undefined;
  readonly #labels: LabelSelector;
  readonly #properties: readonly CompiledPropertyRequirement[];

  constructor({ labelSelector, propertySelector }: ClusterSelectorTerm) {
    const labels = compileLabels(labelSelector);
    this.#labels = labels.selector;
    this.#properties = (propertySelector?.matchExpressions ?? []).map((one) => new CompiledPropertyRequirement(one));
    const wrong = this.#properties.find(({ problem }) => problem !== undefined);
    this.problem = labels.problem ?? (wrong && `${wrong.text}: ${wrong.problem}`);
  }

  matches(row: ClusterRow): boolean {
    if (!this.#labels.matches(row.labels)) return false;
    for (const requirement of this.#properties) {
      if (!requirement.matches(row)) return false;
    }
    return true;
  }

  /** Caller must know that the cluster does not match. */
  failure(term: number, row: ClusterRow): TermFailure {
    if (this.#labels.selectsNothing) {
      const problem = this.problem === undefined ? {} : { problem: this.problem };
      return { term, unmet: [{ about: 'label', requirement: 'labelSelector', ...problem }] };
    }
    return {
      term,
      unmet: [
        ...labelRequirements(this.#labels, row, false),
        ...this.#properties.filter((one) => !one.matches(row)).map((one) => propertyRequirement(one, row)),
      ],
    };
  }

  /** Caller must know that the cluster matches. */
  requirements(row: ClusterRow): Requirement[] {
    return [
      ...labelRequirements(this.#labels, row, true),
      ...this.#properties.map((one) => propertyRequirement(one, row)),
    ];
  }
}

/** The requirements of a selector that the cluster meets, or those that it does not meet. */
export function labelRequirements(selector: LabelSelector, row: ClusterRow, isMet: boolean): Requirement[] {
  return selector.requirements.flatMap((one) => {
    const single = new LabelSelector([one]);
    if (single.matches(row.labels) !== isMet) return [];
    const value = row.label(one.key);
    return [{ about: 'label', requirement: single.toString(), ...(value !== undefined && { value }) }];
  });
}

function propertyRequirement(required: CompiledPropertyRequirement, row: ClusterRow): Requirement {
  const reading = row.reading(required.property);
  const isUnreadable = reading instanceof Unreadable;
  const value = isUnreadable ? reading.text : reading?.toString();
  const problem = required.problem ?? (isUnreadable ? 'the reported value is not a quantity' : undefined);
  const found = { ...(value !== undefined && { value }), ...(problem && { problem }) };
  return { about: 'property', requirement: required.text, ...found };
}

/** An absent selector matches every cluster here. */
export function compileLabels(selector: ClusterSelectorTerm['labelSelector']): {
  readonly selector: LabelSelector;
  readonly problem?: string;
} {
  if (selector === undefined) return { selector: LabelSelector.everything };
  try {
    return { selector: labelSelectorFrom(selector) };
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return { selector: LabelSelector.nothing, problem: error.message };
  }
}
