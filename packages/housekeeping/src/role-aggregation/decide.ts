import { jsonEquals, labelSelectorFrom, type ClusterRole, type JsonObject } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';

export interface AggregationState {
  /** Sorted by name. */
  readonly roles: readonly Readonly<ClusterRole>[];
}

/** The roles that were found complete last. The servers of a fleet start with the same roles, as the same objects. */
let complete: readonly Readonly<ClusterRole>[] = [];

/** An aggregated role has the rules of all roles that its selectors match. */
export function decideAggregation({ roles }: AggregationState): Plan {
  if (roles.length === complete.length && roles.every((role, index) => role === complete[index])) return nothingToDo;
  const outdated = roles
    .filter(({ aggregationRule }) => aggregationRule !== undefined)
    .map((role) => ({ ...role, rules: aggregatedRules(role, roles) }))
    .filter(({ metadata, rules }) => !jsonEquals(rules, before(roles, metadata.name)));
  if (outdated.length === 0) {
    complete = roles;
    return nothingToDo;
  }
  return { steps: [outdated.map((object) => ({ verb: 'update', kind: kinds.clusterRole, object }))] };
}

function before(roles: readonly Readonly<ClusterRole>[], name: string | undefined): JsonObject[] {
  return roles.find(({ metadata }) => metadata.name === name)?.rules ?? [];
}

/** Each rule once, in the order of selectors, then of roles. */
function aggregatedRules(
  { metadata: { name }, aggregationRule }: Readonly<ClusterRole>,
  roles: readonly Readonly<ClusterRole>[],
): JsonObject[] {
  const rules = new Map<string, JsonObject>();
  for (const selector of (aggregationRule?.clusterRoleSelectors ?? []).map(labelSelectorFrom)) {
    const found = roles.filter(({ metadata }) => metadata.name !== name && selector.matches(metadata.labels ?? {}));
    for (const rule of found.flatMap((role) => role.rules ?? [])) {
      const text = JSON.stringify(rule);
      if (!rules.has(text)) rules.set(text, rule);
    }
  }
  return [...rules.values()];
}
