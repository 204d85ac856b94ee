/** Which clusters a rule of an override is for. */
import type { ClusterSelectorTerm, MemberCluster, OverrideRule } from '@flotilla/api';
import { goJson, labelSelectorFrom, SelectorError, type LabelSelector } from '@flotilla/kube';

/** Rules and variables read the name and the labels of a member. */
export type LabelledCluster = Readonly<Pick<MemberCluster, 'metadata'>>;

export type IsForCluster = (cluster: LabelledCluster) => boolean;

/** A label selector of a rule that admission did not check. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
}

/**
 * Without a selector a rule is for no cluster, with no terms for all, else for those that any term matches. Throws a RuleError.
 */
export function clustersOf({ clusterSelector }: OverrideRule): IsForCluster {
  if (clusterSelector === undefined) return () => false;
  const terms = clusterSelector.clusterSelectorTerms ?? [];
  if (terms.length === 0) return () => true;
  const selectors = terms.map(selectorOf);
  return ({ metadata: { labels } }) => selectors.some((selector) => selector.matches(labels));
}

function selectorOf({ labelSelector }: ClusterSelectorTerm): LabelSelector {
  try {
    return labelSelectorFrom(labelSelector);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new RuleError(`invalid cluster label selector ${goJson(labelSelector ?? null)}: ${error.message}`);
  }
}
