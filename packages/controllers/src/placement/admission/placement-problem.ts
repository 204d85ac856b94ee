import type { PlacementFamily, PlacementSpec, ResourceSelector } from '@flotilla/api';
import { aggregate, type GroupVersionKind, type Kind } from '@flotilla/kube';
import { labelSelectorText, structText } from '../../family/go-text.ts';
import { labelSelectorProblem } from '../../family/selector-problem.ts';
import { policyProblems } from './policy-problems.ts';
import { strategyProblems } from './strategy-problems.ts';

/** Finds a kind that the hub serves. */
export type FindKind = (gvk: GroupVersionKind) => Pick<Kind, 'namespaced'> | undefined;

const maxNameLength = 63;

/** Everything that is wrong with a placement, as one sentence of KubeFleet's; undefined if it is valid. */
export function placementProblem(
  { scope }: Pick<PlacementFamily, 'scope'>,
  name: string,
  spec: PlacementSpec,
  findKind: FindKind,
): string | undefined {
  const problems: string[] = [];
  if (name.length > maxNameLength) problems.push(`the name field cannot have length exceeding ${maxNameLength}`);
  for (const selector of spec.resourceSelectors) {
    problems.push(...selectorProblems(selector));
    const kind = findKind(selector);
    if (kind === undefined) {
      // The other checks need the kind.
      problems.push(`failed to get GVR of the selector: ${noMatch(selector)}`);
      return aggregate(problems);
    }
    const isWrong = scope === 'Cluster' ? kind.namespaced && !picksFromNamespace(spec) : !kind.namespaced;
    if (isWrong) problems.push(wrongScope(scope, selector));
  }
  const ofPolicy = spec.policy === undefined ? [] : policyProblems(spec.policy);
  if (ofPolicy.length > 0) problems.push(`the placement policy field is invalid: ${aggregate(ofPolicy)}`);
  const ofStrategy = spec.strategy === undefined ? [] : strategyProblems(spec.strategy);
  if (ofStrategy.length > 0) problems.push(`the rollout Strategy field  is invalid: ${aggregate(ofStrategy)}`);
  return problems.length === 0 ? undefined : aggregate(problems);
}

function selectorProblems(selector: ResourceSelector): string[] {
  if (selector.labelSelector === undefined) return [];
  const problem = labelSelectorProblem(selector.labelSelector, 'resource selector');
  const isBoth = (selector.name ?? '') !== '';
  return [
    ...(isBoth
      ? [`the labelSelector and name fields are mutually exclusive in selector ${resourceSelectorText(selector)}`]
      : []),
    ...(problem === undefined ? [] : [problem]),
  ];
}

/** Whether the other selectors pick objects from one selected namespace. */
function picksFromNamespace({ resourceSelectors }: PlacementSpec): boolean {
  return resourceSelectors.some(
    ({ group, version, kind, selectionScope }) =>
      group === '' && version === 'v1' && kind === 'Namespace' && selectionScope === 'NamespaceWithResourceSelectors',
  );
}

function noMatch({ group, version, kind }: GroupVersionKind): string {
  return `no matches for kind "${kind}" in version "${group === '' ? version : `${group}/${version}`}"`;
}

function wrongScope(scope: PlacementFamily['scope'], { group, version, kind }: GroupVersionKind): string {
  const wanted = scope === 'Cluster' ? 'it is not a cluster scoped resource' : 'it is a cluster scoped resource';
  return `the resource is not found in schema (please retry) or ${wanted}: ${group}/${version}, Kind=${kind}`;
}

/** Identifies a selector, too: it names every field. */
export function resourceSelectorText(selector: ResourceSelector): string {
  const { group, version, kind, name, labelSelector, selectionScope } = selector;
  return structText({
    Group: group,
    Version: version,
    Kind: kind,
    Name: name,
    LabelSelector: labelSelectorText(labelSelector),
    SelectionScope: selectionScope,
  });
}
