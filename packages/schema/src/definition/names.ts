import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '@flotilla/kube';
import type { DefinitionNames } from './custom-resource-definition.ts';

/** Unlike accepted names, requested ones must be complete. */
export function validateRequestedNames(names: DefinitionNames): FieldError[] {
  const missing = (['plural', 'singular', 'kind', 'listKind'] as const).filter((name) => (names[name] ?? '') === '');
  return [...missing.map((name) => required(`spec.names.${name}`)), ...validateNames(names, 'spec.names')];
}

export function validateNames(names: DefinitionNames, path: string): FieldError[] {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names;
  return [
    ...validateResourceName(plural, `${path}.plural`),
    ...validateResourceName(singular, `${path}.singular`),
    ...validateKind(kind, `${path}.kind`),
    ...validateKind(listKind, `${path}.listKind`),
    ...shortNames.flatMap((name, i) => validateLabel(name, `${path}.shortNames[${i}]`)),
    ...(kind !== '' && kind === listKind
      ? [invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...categories.flatMap((name, i) => validateLabel(name, `${path}.categories[${i}]`)),
  ];
}

export function validateLabel(name: string, path: string): FieldError[] {
  const problems = dns1035LabelProblems(name);
  return problems.length === 0 ? [] : [invalid(path, name, problems.join(','))];
}

function validateResourceName(name: string, path: string): FieldError[] {
  return name === '' ? [] : validateLabel(name, path);
}

function validateKind(kind: string, path: string): FieldError[] {
  const problems = kind === '' ? [] : dns1035LabelProblems(kind.toLowerCase());
  if (problems.length === 0) return [];
  return [invalid(path, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}

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
