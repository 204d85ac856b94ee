import type { PolicyRule } from '@flotilla/builtins';

/** A role of the bootstrap policy. */
export interface RoleRow {
  /**
   * `verbs groups resources`, optionally with `names` of objects, or `verbs paths`. Each is a list with commas. `core` is the
   * core group.
   */
  readonly rules?: readonly string[];
  /** The controller collects the rules from all roles with `aggregateTo` this one. */
  readonly isAggregated?: true;
  /** The aggregated role that includes this one. */
  readonly aggregateTo?: string;
}

export function ruleFrom(row: string): PolicyRule {
  const [verbs = [], second = [], third, resourceNames] = row.split(' ').map((list) => list.split(','));
  if (!third) return { verbs, nonResourceURLs: second };
  const apiGroups = second.map((group) => (group === 'core' ? '' : group));
  return { verbs, apiGroups, resources: third, ...(resourceNames && { resourceNames }) };
}
