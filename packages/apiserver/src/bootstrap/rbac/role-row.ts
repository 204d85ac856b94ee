import type { PolicyRule } from '@flotilla/builtins';

/** A role of the server's own, as short as its facts allow. */
export interface RoleRow {
  /**
   * `verbs groups resources`, perhaps with `names` of objects, or `verbs paths`; each a list with commas. The group without a
   * name is `core`.
   */
  readonly rules?: readonly string[];
  /** The rules come from all roles that are part of this one. */
  readonly isGathered?: true;
  /** Which gathered role this one is part of. */
  readonly partOf?: string;
}

export function ruleFrom(row: string): PolicyRule {
  const [verbs = [], second = [], third, resourceNames] = row.split(' ').map((list) => list.split(','));
  if (!third) return { verbs, nonResourceURLs: second };
  const apiGroups = second.map((group) => (group === 'core' ? '' : group));
  return { verbs, apiGroups, resources: third, ...(resourceNames && { resourceNames }) };
}
