/**
 * How much of a policy counts. The schema sets no limits, every requirement is checked on every cluster, and one decision must not hold
 * the event loop. No sensible policy comes near them.
 */
import type { ClusterSelectorTerm } from '@flotilla/api';

export const maxRequirements = 250;
export const maxConstraints = 16;

/** Terms, each with whether it is within the limit. A term counts as one requirement more than it has. */
export function withinLimit<T>(
  terms: readonly T[],
  termOf: (term: T) => ClusterSelectorTerm,
): { readonly term: T; readonly isWithin: boolean }[] {
  let total = 0;
  return terms.map((term) => {
    total += 1 + requirementsIn(termOf(term));
    return { term, isWithin: total <= maxRequirements };
  });
}

export const tooLarge = `there are more than ${maxRequirements} requirements`;

/** Problems are repeated in the status for every cluster, and quote what users wrote. */
export function limitedProblems(problems: readonly string[]): string[] {
  return problems.slice(0, 5).map(limitedText);
}

export function limitedText(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** A list of values is checked and sorted once: twenty of them cost about as much as a requirement. */
const valuesPerRequirement = 20;

function requirementsIn({ labelSelector, propertySelector }: ClusterSelectorTerm): number {
  const expressions = labelSelector?.matchExpressions ?? [];
  const values = expressions.reduce((sum, expression) => sum + (expression.values?.length ?? 0), 0);
  return (
    Object.keys(labelSelector?.matchLabels ?? {}).length +
    expressions.length +
    Math.floor(values / valuesPerRequirement) +
    (propertySelector?.matchExpressions?.length ?? 0)
  );
}
