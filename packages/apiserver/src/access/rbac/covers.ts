import type { PolicyRule } from '@flotilla/builtins';
import type { PathQuery, RuleQuery, ResourceQuery } from './rule-index.ts';
import { RuleIndex } from './rule-index.ts';

/** Parts of rules that are not covered, each with one verb and one resource or path. */
export type Uncovered = readonly PolicyRule[];

/** Rules with more combinations than this are not expanded: that would block the server, and no real role needs it. */
const maxParts = 10_000;

/** The parts of `rules` that are not held. With too many parts to expand, only the right to everything covers them. */
export function uncovered(rules: readonly PolicyRule[], isHeld: (query: RuleQuery) => boolean): Uncovered {
  const total = rules.reduce((sum, rule) => sum + partCount(rule), 0);
  if (total > maxParts) return isEverythingHeld(isHeld) ? [] : rules;
  const missing: PolicyRule[] = [];
  for (const rule of rules) {
    for (const part of partsOf(rule)) if (!isHeld(queryOf(part))) missing.push(part);
  }
  return missing;
}

/** The parts of `rules` that no rule of `owned` covers. */
export function uncoveredBy(owned: readonly PolicyRule[], rules: readonly PolicyRule[]): Uncovered {
  const index = new RuleIndex<true>();
  for (const rule of owned) index.add(rule, true);
  return uncovered(rules, (query) => index.find(query) === true);
}

function isEverythingHeld(isHeld: (query: RuleQuery) => boolean): boolean {
  const anyResource: ResourceQuery = {
    isResource: true,
    verb: '*',
    group: '*',
    resource: '*',
    subresource: '',
    name: undefined,
  };
  return isHeld(anyResource) && isHeld({ isResource: false, verb: '*', path: '*' });
}

function partCount({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const names = resourceNames?.length || 1;
  const things = (apiGroups?.length ?? 0) * (resources?.length ?? 0) * names + (nonResourceURLs?.length ?? 0);
  return (verbs?.length ?? 0) * things;
}

function* partsOf(rule: PolicyRule): Generator<PolicyRule> {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs ?? []) {
        const part = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (resourceNames.length === 0) yield part;
        for (const name of resourceNames) yield { ...part, resourceNames: [name] };
      }
    }
  }
  for (const url of nonResourceURLs) for (const verb of verbs ?? []) yield { nonResourceURLs: [url], verbs: [verb] };
}

/** The query of a request that needs exactly this part. */
function queryOf(part: PolicyRule): RuleQuery {
  const [verb = ''] = part.verbs ?? [];
  const [path] = part.nonResourceURLs ?? [];
  if (path !== undefined) return { isResource: false, verb, path } satisfies PathQuery;
  const [group = ''] = part.apiGroups ?? [];
  const [thing = ''] = part.resources ?? [];
  const slash = thing.indexOf('/');
  return {
    isResource: true,
    verb,
    group,
    resource: slash < 0 ? thing : thing.slice(0, slash),
    subresource: slash < 0 ? '' : thing.slice(slash + 1),
    name: part.resourceNames?.[0],
  };
}
