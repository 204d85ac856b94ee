import type { PolicyRule } from '@flotilla/builtins';
import type { PathQuestion, Question, ResourceQuestion } from './rule-index.ts';
import { RuleIndex } from './rule-index.ts';

/** Parts of rules that are not covered, each about one verb of one thing. */
export type Uncovered = readonly PolicyRule[];

/** Rules that come apart into more than this are taken whole: nobody means them, and taking them apart would stop the server. */
const maxParts = 10_000;

/** What of `rules` is not held. Somebody who may do everything holds whatever a rule can say. */
export function uncovered(rules: readonly PolicyRule[], isHeld: (question: Question) => boolean): Uncovered {
  const total = rules.reduce((sum, rule) => sum + partCount(rule), 0);
  if (total > maxParts) return isEverythingHeld(isHeld) ? [] : rules;
  const missing: PolicyRule[] = [];
  for (const rule of rules) {
    for (const part of partsOf(rule)) if (!isHeld(questionOf(part))) missing.push(part);
  }
  return missing;
}

/** What of `rules` none of the `owned` ones covers. */
export function uncoveredBy(owned: readonly PolicyRule[], rules: readonly PolicyRule[]): Uncovered {
  const index = new RuleIndex<true>();
  for (const rule of owned) index.add(rule, true);
  return uncovered(rules, (question) => index.find(question) === true);
}

function isEverythingHeld(isHeld: (question: Question) => boolean): boolean {
  const anyResource: ResourceQuestion = {
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

/** Whether a part is held is what a request for it would be asked. */
function questionOf(part: PolicyRule): Question {
  const [verb = ''] = part.verbs ?? [];
  const [path] = part.nonResourceURLs ?? [];
  if (path !== undefined) return { isResource: false, verb, path } satisfies PathQuestion;
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
