import type { ClusterSelectorTerm } from '@flotilla/api';
import { labelSelectorFrom, LabelSelector, SelectorError } from '@flotilla/kube';
import { Unreadable, type ClusterRow } from '../cluster-row.ts';
import { CompiledPropertyRequirement } from './property-requirement.ts';
import type { TermFailure } from './rule.ts';

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
    if (this.#labels.selectsNothing)
      return { term, requirement: 'labelSelector', ...(this.problem && { problem: this.problem }) };
    const label = this.#labels.requirements.find((one) => !new LabelSelector([one]).matches(row.labels));
    if (label !== undefined) {
      const value = row.label(label.key);
      return { term, requirement: new LabelSelector([label]).toString(), ...(value !== undefined && { value }) };
    }
    return this.#propertyFailure(term, row);
  }

  #propertyFailure(term: number, row: ClusterRow): TermFailure {
    const failed = this.#properties.find((one) => !one.matches(row));
    if (failed === undefined) return { term, requirement: '' };
    const reading = row.reading(failed.property);
    const isUnreadable = reading instanceof Unreadable;
    const value = isUnreadable ? reading.text : reading?.toString();
    const problem = failed.problem ?? (isUnreadable ? 'the reported value is not a quantity' : undefined);
    return { term, requirement: failed.text, ...(value !== undefined && { value }), ...(problem && { problem }) };
  }
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
