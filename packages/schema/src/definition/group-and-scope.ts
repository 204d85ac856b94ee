import { dns1123SubdomainProblems, invalid, notSupported, required, type FieldError } from '@flotilla/kube';

export function validateGroup(group: string): FieldError[] {
  if (group === '') return [required('spec.group')];
  const problems = dns1123SubdomainProblems(group);
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))];
  return group.includes('.') ? [] : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

export function validateScope(scope: string): FieldError[] {
  return validateChoice(scope, ['Cluster', 'Namespaced'], 'spec.scope');
}

export function validateChoice(value: string, choices: readonly string[], path: string): FieldError[] {
  if (value === '') return [required(path)];
  return choices.includes(value) ? [] : [notSupported(path, value, choices)];
}
