import type {
  ClusterSelectorTerm,
  JsonPatchOverride,
  Override,
  OverridePolicy,
  OverrideRule,
  ResourceOverride,
  ResourceSelector,
} from '@flotilla/api';
import { aggregate, goJson } from '@flotilla/kube';
import { labelSelectorText, structText } from '../../family/go-text.ts';
import { labelSelectorProblem } from '../../family/selector-problem.ts';
import { resourceSelectorText } from '../../placement/admission/placement-problem.ts';

/** In a namespace, or of the hub for cluster-scoped ones. */
export const maxOverrides = 100;

export interface OverrideChange {
  readonly isCreate: boolean;
  readonly now: Override;
  /** All overrides beside it: of its namespace, or of the hub. */
  readonly existing: readonly Override[];
}

/** Why an override must not be written, in KubeFleet's words; undefined if it may. */
export function refusedOverride({ isCreate, now, existing }: OverrideChange): string | undefined {
  if (isCreate && existing.length >= maxOverrides) return tooMany(isClusterScoped(now));
  const ofSelectors = selectorProblems(now);
  if (ofSelectors.length > 0) return aggregate(ofSelectors);
  const problems = [...conflicts(now, existing), ...policyProblems(now.spec.policy)];
  return problems.length === 0 ? undefined : aggregate(problems);
}

function isClusterScoped(override: Override): boolean {
  return 'clusterResourceSelectors' in override.spec;
}

function tooMany(isCluster: boolean): string {
  return isCluster
    ? `clusterResourceOverride limit has been reached: at most ${maxOverrides} cluster resources can be created.`
    : `resourceOverride limit has been reached: at most ${maxOverrides} resources can be created.`;
}

/** Selectors as text, by which they are compared. */
function selectorsOf({ spec }: Override): string[] {
  return 'clusterResourceSelectors' in spec
    ? spec.clusterResourceSelectors.map(resourceSelectorText)
    : spec.resourceSelectors.map(namedResourceText);
}

function namedResourceText({
  group,
  version,
  kind,
  name,
}: ResourceOverride['spec']['resourceSelectors'][number]): string {
  return structText({ Group: group, Version: version, Kind: kind, Name: name });
}

function selectorProblems(override: Override): string[] {
  const { spec } = override;
  const problems: string[] = [];
  const seen = new Set<string>();
  const usable =
    'clusterResourceSelectors' in spec
      ? spec.clusterResourceSelectors.filter((selector) => namesObject(selector, problems)).map(resourceSelectorText)
      : selectorsOf(override);
  for (const selector of usable) {
    if (seen.has(selector)) problems.push(`resource selector ${selector} already exists, and must be unique`);
    seen.add(selector);
  }
  return problems;
}

function namesObject(selector: ResourceSelector, problems: string[]): boolean {
  const hasName = (selector.name ?? '') !== '';
  if (selector.labelSelector !== undefined) {
    problems.push(`label selector is not supported for resource selection ${resourceSelectorText(selector)}`);
  } else if (!hasName)
    problems.push(`resource name is required for resource selection ${resourceSelectorText(selector)}`);
  return hasName && selector.labelSelector === undefined;
}

/** Two overrides must not select the same resource, even for different placements. */
function conflicts(override: Override, existing: readonly Override[]): string[] {
  const { name = '' } = override.metadata;
  const owners = new Map<string, string>();
  for (const other of existing) {
    const { name: owner = '' } = other.metadata;
    if (owner !== name) for (const selector of selectorsOf(other)) owners.set(selector, owner);
  }
  return selectorsOf(override).flatMap((selector) => {
    const owner = owners.get(selector);
    if (owner === undefined) return [];
    return `invalid resource selector ${selector}: the resource has been selected by both ${name} and ${owner}, which is not supported`;
  });
}

function policyProblems(policy: OverridePolicy | undefined): string[] {
  const problems: string[] = [];
  for (const rule of policy?.overrideRules ?? []) {
    problems.push(...(rule.clusterSelector?.clusterSelectorTerms ?? []).flatMap(termProblems));
    problems.push(...patchesProblems(rule));
  }
  return problems.length === 0 ? [] : [aggregate(problems)];
}

function termProblems(term: ClusterSelectorTerm): string[] {
  const { labelSelector, propertySelector, propertySorter } = term;
  if (propertySelector !== undefined || propertySorter !== undefined) {
    return [`invalid clusterSelector ${termText(term)}: only labelSelector is supported`];
  }
  if (labelSelector === undefined) return [`invalid clusterSelector ${termText(term)}: labelSelector is required`];
  const problem = labelSelectorProblem(labelSelector, 'cluster selector');
  return problem === undefined ? [] : [problem];
}

/** KubeFleet prints addresses in memory for the last two; these are their values. */
function termText({ labelSelector, propertySelector, propertySorter }: ClusterSelectorTerm): string {
  return structText({
    LabelSelector: labelSelectorText(labelSelector),
    PropertySelector: propertySelector === undefined ? '<nil>' : goJson(propertySelector),
    PropertySorter: propertySorter === undefined ? '<nil>' : goJson(propertySorter),
  });
}

function patchesProblems({ overrideType, jsonPatchOverrides = [] }: OverrideRule): string[] {
  if (overrideType === 'Delete') {
    if (jsonPatchOverrides.length === 0) return [];
    return ['invalid JSONPatchOverrides: JSONPatchOverrides cannot be set when the override type is Delete'];
  }
  if (jsonPatchOverrides.length === 0) return ['invalid JSONPatchOverrides: JSONPatchOverrides cannot be empty'];
  const problems = jsonPatchOverrides.flatMap((patch) =>
    patchProblems(patch).map((problem) => `invalid JSONPatchOverride ${patchText(patch)}: ${problem}`),
  );
  return problems.length === 0 ? [] : [aggregate(problems)];
}

/** Go prints the value as a struct with the JSON text as its only field. */
function patchText({ op, path, value }: JsonPatchOverride): string {
  return `{${op} ${path} {${value === undefined ? '' : goJson(value)}}}`;
}

function patchProblems({ op, path, value }: JsonPatchOverride): string[] {
  const problem = pathProblem(path);
  return [
    ...(problem === undefined ? [] : [problem]),
    ...(op === 'remove' && value !== undefined ? ['remove operation cannot have value'] : []),
  ];
}

function pathProblem(path: string): string | undefined {
  if (path === '') return 'path cannot be empty';
  if (!path.startsWith('/')) return 'path must start with /';
  const parts = path.slice(1).split('/');
  const [first, second] = parts;
  if (first === 'kind' || first === 'apiVersion') return 'cannot override typeMeta fields';
  if (first === 'status') return 'cannot override status fields';
  if (first === 'metadata' && second === undefined) return 'cannot override field metadata';
  if (first === 'metadata' && second !== 'annotations' && second !== 'labels') {
    return 'cannot override metadata fields except annotations and labels';
  }
  return parts.some((part) => part.trim() === '') ? 'path cannot contain empty string' : undefined;
}
