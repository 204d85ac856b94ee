/** The requests that a FlowSchema matches: subjects and resources. */
import {
  forbidden,
  invalid,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  notSupported,
  pushAll,
  required,
  type FieldError,
} from '@flotilla/kube';
import { invalids } from '../field-checks.ts';

export interface FlowRule {
  readonly subjects?: readonly FlowSubject[] | null;
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly NonResourceRule[];
}

interface ResourceRule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[] | null;
}

interface NonResourceRule {
  readonly verbs?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

export function validateFlowRules(rules: readonly FlowRule[], path: string): FieldError[] {
  return rules.flatMap((rule, index) => validateFlowRule(rule, `${path}[${index}]`));
}

function validateFlowRule(rule: FlowRule, path: string): FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rule;
  const subjects = rule.subjects ?? [];
  const errors = subjects.flatMap((subject, index) => validateFlowSubject(subject, `${path}.subjects[${index}]`));
  if (subjects.length === 0) errors.push(required(`${path}.subjects`, 'subjects must contain at least one value'));
  if (resourceRules.length + nonResourceRules.length === 0) {
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  }
  resourceRules.forEach((one, index) => pushAll(errors, validateResourceRule(one, `${path}.resourceRules[${index}]`)));
  nonResourceRules.forEach((one, index) =>
    pushAll(errors, validateNonResourceRule(one, `${path}.nonResourceRules[${index}]`)),
  );
  return errors;
}

function validateResourceRule(rule: ResourceRule, path: string): FieldError[] {
  return [
    ...validateVerbs(rule.verbs ?? [], `${path}.verbs`),
    ...validateNames(rule.apiGroups ?? [], `${path}.apiGroups`, 'api group'),
    ...validateNames(rule.resources ?? [], `${path}.resources`, 'resource'),
    ...validateNamespaces(rule.namespaces ?? [], rule.clusterScope ?? false, `${path}.namespaces`),
  ];
}

function validateVerbs(given: readonly string[], path: string): FieldError[] {
  if (given.length === 0) return [required(path, 'verbs must contain at least one value')];
  if (given.includes('*')) return validateLoneWildcard(given, path, 'verbs');
  return given.every((verb) => verbs.includes(verb)) ? [] : [notSupported(path, [...given], verbs)];
}

function validateNames(given: readonly string[], path: string, what: string): FieldError[] {
  if (given.length === 0) return [required(path, `resource rules must supply at least one ${what}`)];
  return validateLoneWildcard(given, path, `${what}s`);
}

function validateNamespaces(namespaces: readonly string[], hasCluster: boolean, path: string): FieldError[] {
  if (namespaces.length === 0 && !hasCluster) {
    return [required(path, 'resource rules that are not cluster scoped must supply at least one namespace')];
  }
  if (namespaces.includes('*')) return validateLoneWildcard(namespaces, path, 'namespaces');
  return namespaces.flatMap((namespace, index) =>
    nameIsDnsLabel(namespace, false).map((problem) =>
      invalid(`${path}[${index}]`, namespace, `each member of this list must be '*' or a DNS-1123 label; ${problem}`),
    ),
  );
}

function validateNonResourceRule(rule: NonResourceRule, path: string): FieldError[] {
  return [
    ...validateVerbs(rule.verbs ?? [], `${path}.verbs`),
    ...validateUrls(rule.nonResourceURLs ?? [], `${path}.nonResourceURLs`),
  ];
}

function validateUrls(urls: readonly string[], path: string): FieldError[] {
  if (urls.length === 0) return [required(path, 'nonResourceURLs must contain at least one value')];
  if (urls.includes('*')) return validateLoneWildcard(urls, path, 'non-resource URLs');
  return urls.flatMap((url, index) => {
    const problem = urlProblem(url);
    return problem === undefined ? [] : [invalid(`${path}[${index}]`, url, problem)];
  });
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const isSuffix = url.indexOf('*') === url.length - 1 && url.endsWith('/*');
  return url.includes('*') && !isSuffix ? 'wildcard can only do suffix matching' : undefined;
}

function validateLoneWildcard(given: readonly string[], path: string, what: string): FieldError[] {
  if (given.length === 1 || !given.includes('*')) return [];
  return [invalid(path, [...given], `if '*' is present, must not specify other ${what}`)];
}

interface FlowSubject {
  readonly kind?: string;
  readonly user?: { readonly name?: string };
  readonly group?: { readonly name?: string };
  readonly serviceAccount?: ServiceAccountSubject;
}

interface ServiceAccountSubject {
  readonly namespace?: string;
  readonly name?: string;
}

/** The member that each kind of subject requires, in the order in which the others are refused. */
const subjectMembers = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
] as const;

function validateFlowSubject(subject: FlowSubject, path: string): FieldError[] {
  const own = subjectMembers.find(([kind]) => kind === subject.kind);
  if (own === undefined) {
    return [notSupported(`${path}.kind`, subject.kind ?? '', ['Group', 'ServiceAccount', 'User'])];
  }
  const others = subjectMembers.filter(([kind, member]) => kind !== subject.kind && subject[member] !== undefined);
  const refusals = others.map(([kind, member]) =>
    forbidden(`${path}.${member}`, `${member} is forbidden when subject kind is not '${kind}'`),
  );
  return [...validateMember(subject, own, path), ...refusals];
}

function validateMember(
  subject: FlowSubject,
  [kind, member]: (typeof subjectMembers)[number],
  path: string,
): FieldError[] {
  const value = subject[member];
  const field = `${path}.${member}`;
  if (value === undefined) return [required(field, `${member} is required when subject kind is '${kind}'`)];
  if (kind === 'ServiceAccount') return validateServiceAccount(value, field);
  return value.name ? [] : [required(`${field}.name`)];
}

function validateServiceAccount({ name = '', namespace = '' }: ServiceAccountSubject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  else if (name !== '*') pushAll(errors, invalids(`${path}.name`, name, nameIsDnsSubdomain(name, false)));
  if (namespace === '') errors.push(required(`${path}.namespace`, 'must specify namespace for service account'));
  else pushAll(errors, invalids(`${path}.namespace`, namespace, nameIsDnsLabel(namespace, false)));
  return errors;
}
