import type { ClusterSelectorTerm, PlacementPolicy, PlacementType, PreferredTerm, Toleration } from '@flotilla/api';
import { dns1123SubdomainProblems, labelValueProblems, qualifiedNameProblems } from '@flotilla/kube';
import { structText } from '../../family/go-text.ts';
import { labelSelectorProblem } from '../../family/selector-problem.ts';
import { joined, requirementProblems, sorterProblems } from './property-problems.ts';

const maxNameLength = 63;

/** What is wrong with a policy. The schema and its rules refuse some of it earlier, with other words. */
export function policyProblems(policy: PlacementPolicy): string[] {
  switch (policy.placementType) {
    case 'PickFixed':
      return pickFixedProblems(policy);
    case 'PickN':
      return pickNProblems(policy);
    case 'PickAll':
      return pickAllProblems(policy);
  }
}

function pickFixedProblems(policy: PlacementPolicy): string[] {
  const { clusterNames = [], numberOfClusters, affinity, topologySpreadConstraints = [], tolerations } = policy;
  const problems = clusterNames.flatMap(memberNameProblems);
  if (new Set(clusterNames).size < clusterNames.length) {
    problems.push('cluster names must be unique for policy type PickFixed');
  }
  if (numberOfClusters !== undefined) problems.push(onlyForPickN('PickFixed'));
  if (affinity !== undefined) {
    problems.push(
      'affinity must be nil for policy type PickFixed, only valid for PickAll/PickN placement policy types',
    );
  }
  if (topologySpreadConstraints.length > 0) problems.push(spreadOnlyForPickN('PickFixed'));
  if (tolerations !== undefined) {
    problems.push('tolerations needs to be empty for policy type PickFixed, only valid for PickAll/PickN');
  }
  return problems;
}

function memberNameProblems(name: string): string[] {
  const wrong = dns1123SubdomainProblems(name);
  const isLong = name.length > maxNameLength;
  return [
    ...(wrong.length === 0 ? [] : [`PickFixed cluster name ${name} is not a valid member name: ${wrong.join('; ')}`]),
    ...(isLong ? [`PickFixed cluster name ${name} cannot have length exceeding ${maxNameLength}`] : []),
  ];
}

function pickAllProblems(policy: PlacementPolicy): string[] {
  const { clusterNames = [], numberOfClusters, affinity, topologySpreadConstraints = [], tolerations = [] } = policy;
  const problems: string[] = [];
  if (clusterNames.length > 0) problems.push(namesOnlyForPickFixed('PickAll'));
  if (numberOfClusters !== undefined) problems.push(onlyForPickN('PickAll'));
  const { requiredDuringSchedulingIgnoredDuringExecution: required, ...preferences } = affinity?.clusterAffinity ?? {};
  const preferred = preferences.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const ofAffinity = joined((required?.clusterSelectorTerms ?? []).flatMap(requiredTermProblems));
  if (preferred.length > 0) {
    ofAffinity.push(
      'PreferredDuringSchedulingIgnoredDuringExecution will be ignored for placement policy type PickAll',
    );
  }
  problems.push(...joined(ofAffinity));
  if (topologySpreadConstraints.length > 0) problems.push(spreadOnlyForPickN('PickAll'));
  return [...problems, ...joined(tolerationProblems(tolerations))];
}

function pickNProblems(policy: PlacementPolicy): string[] {
  const { clusterNames = [], numberOfClusters, affinity, tolerations = [] } = policy;
  const problems: string[] = [];
  if (clusterNames.length > 0) problems.push(namesOnlyForPickFixed('PickN'));
  if (numberOfClusters === undefined) problems.push('number of cluster cannot be nil for policy type PickN');
  else if (numberOfClusters < 0) {
    problems.push(`number of clusters cannot be ${numberOfClusters} for policy type PickN`);
  }
  const { requiredDuringSchedulingIgnoredDuringExecution: required, ...preferences } = affinity?.clusterAffinity ?? {};
  const preferred = preferences.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const ofAffinity = [
    ...joined((required?.clusterSelectorTerms ?? []).flatMap(requiredTermProblems)),
    ...joined(preferred.flatMap(preferredTermProblems)),
  ];
  return [...problems, ...joined(ofAffinity), ...joined(tolerationProblems(tolerations))];
}

function namesOnlyForPickFixed(type: PlacementType): string {
  return `cluster names needs to be empty for policy type ${type}, only valid for PickFixed policy type`;
}

function onlyForPickN(type: PlacementType): string {
  return `number of clusters must be nil for policy type ${type}, only valid for PickN placement policy type`;
}

function spreadOnlyForPickN(type: PlacementType): string {
  return `topology spread constraints needs to be empty for policy type ${type}, only valid for PickN policy type`;
}

function requiredTermProblems({ labelSelector, propertySelector, propertySorter }: ClusterSelectorTerm): string[] {
  const problems = present(labelSelectorProblem(labelSelector, 'cluster selector'));
  if (propertySorter !== undefined) {
    problems.push('PropertySorter is not allowed for RequiredDuringSchedulingIgnoredDuringExecution affinity');
  }
  return [...problems, ...joined(requirementProblems(propertySelector?.matchExpressions ?? []))];
}

function preferredTermProblems({ preference }: PreferredTerm): string[] {
  const { labelSelector, propertySelector, propertySorter } = preference;
  const problems = present(labelSelectorProblem(labelSelector, 'preferred cluster selector'));
  if (propertySelector !== undefined) {
    problems.push('PropertySelector is not allowed for PreferredDuringSchedulingIgnoredDuringExecution affinity');
  }
  return [...problems, ...(propertySorter === undefined ? [] : joined(sorterProblems(propertySorter)))];
}

function tolerationProblems(tolerations: readonly Toleration[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const toleration of tolerations) {
    const { key = '', operator, value = '' } = toleration;
    const shown = tolerationText(toleration);
    if (key !== '') {
      for (const problem of qualifiedNameProblems(key)) problems.push(`invalid toleration key ${shown}: ${problem}`);
    }
    if (operator === 'Exists' && value !== '') {
      problems.push(`invalid toleration ${shown}: toleration value needs to be empty, when operator is Exists`);
    }
    if (operator === 'Equal') {
      if (key === '') {
        problems.push(`invalid toleration ${shown}: toleration key cannot be empty, when operator is Equal`);
      }
      for (const problem of labelValueProblems(value)) problems.push(`invalid toleration value ${shown}: ${problem}`);
    }
    if (seen.has(shown)) problems.push(`toleration ${shown} already exists, tolerations must be unique`);
    seen.add(shown);
  }
  return problems;
}

/** Identifies a toleration, too: it names every field. */
export function tolerationText({ key, operator, value, effect }: Toleration): string {
  return structText({ Key: key, Operator: operator, Value: value, Effect: effect });
}

function present(problem: string | undefined): string[] {
  return problem === undefined ? [] : [problem];
}
