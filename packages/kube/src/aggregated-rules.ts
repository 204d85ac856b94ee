import { compareBytes } from './go/format.ts';
import { jsonEquals } from './json/json-equals.ts';
import type { JsonObject } from './json/value.ts';
import type { KubeObject } from './object.ts';
import { labelSelectorFrom, type LabelSelectorObject } from './selector/label-selector-object.ts';

interface AggregatedRole extends KubeObject {
  aggregationRule?: { clusterRoleSelectors?: LabelSelectorObject[] };
}

interface RoleWithRules extends KubeObject {
  rules?: JsonObject[] | null;
}

/**
 * The rules of a ClusterRole with an aggregationRule: those of every selected role, by selector and then by name,
 * each once. Returns undefined for a role without an aggregationRule. Throws a SelectorError.
 */
export function aggregatedRules(
  role: Readonly<KubeObject>,
  roles: Iterable<Readonly<KubeObject>>,
): readonly JsonObject[] | undefined {
  const { aggregationRule } = role as AggregatedRole;
  if (!aggregationRule) return undefined;
  const others = [...roles]
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .sort((a, b) => compareBytes(a.metadata.name ?? '', b.metadata.name ?? ''));
  const aggregated: JsonObject[] = [];
  for (const selectorObject of aggregationRule.clusterRoleSelectors ?? []) {
    const selector = labelSelectorFrom(selectorObject);
    const selected = others.filter(({ metadata }) => selector.matches(metadata.labels));
    for (const rule of selected.flatMap(({ rules }: RoleWithRules) => rules ?? [])) {
      if (!aggregated.some((known) => jsonEquals(known, rule))) aggregated.push(rule);
    }
  }
  return aggregated;
}
