/** The requests that a webhook or a policy applies to. */
import {
  duplicate,
  invalid,
  notSupported,
  pathSegmentProblems,
  pushAll,
  required,
  type FieldError,
} from '@flotilla/kube';
import { invalids, repeatsIn } from '../field-checks.ts';

export interface AdmissionRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  scope?: string;
  /** Only rules of policies have resource names. */
  readonly resourceNames?: readonly string[];
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];

export function setRuleDefaults(rule: AdmissionRule): void {
  rule.scope ??= '*';
}

export function validateNamedRule(rule: AdmissionRule, path: string): FieldError[] {
  const names = rule.resourceNames ?? [];
  const repeats = repeatsIn(names);
  const errors = names.flatMap((name, index) => {
    const field = `${path}.resourceNames[${index}]`;
    const problems = invalids(field, name, pathSegmentProblems(name));
    return repeats.has(index) ? [...problems, duplicate(field, name)] : problems;
  });
  return [...errors, ...validateRule(rule, path)];
}

export function validateRule(rule: AdmissionRule, path: string): FieldError[] {
  const { apiVersions = [], scope } = rule;
  const errors = [
    ...validateOperations(rule.operations ?? [], `${path}.operations`),
    ...validateList(rule.apiGroups ?? [], `${path}.apiGroups`, 'API groups'),
    ...validateList(apiVersions, `${path}.apiVersions`, 'API versions'),
  ];
  apiVersions.forEach((version, index) => {
    if (version === '') errors.push(required(`${path}.apiVersions[${index}]`));
  });
  pushAll(errors, validateResources(rule.resources ?? [], `${path}.resources`));
  if (scope !== undefined && !scopes.includes(scope)) errors.push(notSupported(`${path}.scope`, scope, scopes));
  return errors;
}

function validateOperations(given: readonly string[], path: string): FieldError[] {
  const errors = validateList(given, path, 'operations');
  given.forEach((operation, index) => {
    if (!operations.includes(operation)) errors.push(notSupported(`${path}[${index}]`, operation, operations));
  });
  return errors;
}

function validateList(given: readonly string[], path: string, what: string): FieldError[] {
  if (given.length === 0) return [required(path)];
  if (given.length === 1 || !given.includes('*')) return [];
  return [invalid(path, [...given], `if '*' is present, must not specify other ${what}`)];
}

function validateResources(given: readonly string[], path: string): FieldError[] {
  if (given.length === 0) return [required(path)];
  const earlier = new Set<string>();
  const errors = given.flatMap((resource, index) => {
    const problems = validateResource(resource, earlier, `${path}[${index}]`);
    earlier.add(resource);
    return problems;
  });
  const refused = (detail: string) => errors.push(invalid(path, [...given], detail));
  if (given.length > 1 && given.includes('*/*')) refused("if '*/*' is present, must not specify other resources");
  if (given.includes('*') && isPlain(given.findLast((resource) => resource !== '' && !resource.includes('/')))) {
    refused("if '*' is present, must not specify other resources without subresources");
  }
  return errors;
}

/** Kubernetes remembers only the last resource without a subresource. */
function isPlain(resource: string | undefined): boolean {
  return resource !== undefined && resource !== '*';
}

/** An earlier `a/*` or `*\/b` already covers `a/b`. */
function validateResource(given: string, earlier: ReadonlySet<string>, field: string): FieldError[] {
  if (given === '') return [required(field)];
  const slash = given.indexOf('/');
  if (slash === -1) return [];
  const covers = [`${given.slice(0, slash)}/*`, `*/${given.slice(slash + 1)}`];
  return covers
    .filter((cover) => earlier.has(cover))
    .map((cover) => invalid(field, given, `if '${cover}' is present, must not specify ${given}`));
}

const staticSuffix = '.static.k8s.io';

/** Names with this suffix are reserved for configuration from files. */
export function staticNameWarnings({
  metadata: { name = '' },
}: {
  readonly metadata: { readonly name?: string };
}): string[] {
  if (!name.endsWith(staticSuffix)) return [];
  const rule = 'are reserved for static manifest-based configurations and cannot be managed via the API';
  return [`metadata.name: names ending with "${staticSuffix}" ${rule}`];
}
