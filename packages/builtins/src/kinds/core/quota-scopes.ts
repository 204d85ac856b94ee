/** Scopes restrict a quota to some pods or claims, and are valid only with resources of those. */
import { invalid, required, type FieldError, type JsonValue } from '@flotilla/kube';
import type { ResourceQuotaSpec, ScopeRequirement } from './resource-quota.ts';

const ofPods = new Set(['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']);
const ofClaims = new Set(['persistentvolumeclaims', 'requests.storage']);

const resourcesOf: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Terminating', ofPods],
  ['NotTerminating', ofPods],
  ['BestEffort', new Set(['pods'])],
  ['NotBestEffort', ofPods],
  ['PriorityClass', ofPods],
  ['CrossNamespacePodAffinity', ofPods],
  ['VolumeAttributesClass', ofClaims],
]);

/** Scopes that take no values. */
const valuelessScopes = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'CrossNamespacePodAffinity',
]);

export function validateScopes(spec: ResourceQuotaSpec): FieldError[] {
  const { scopes = [], scopeSelector, hard = {} } = spec;
  const resources = Object.keys(hard).filter(isQuotaResource);
  return [
    ...validateScopeList(scopes, resources),
    ...(scopeSelector === undefined ? [] : validateSelector(spec, resources)),
  ];
}

function validateScopeList(scopes: string[], resources: readonly string[]): FieldError[] {
  const field = 'spec.scopes';
  const countMisfits = misfitCounter(resources);
  // Each error prints the whole list, so one error of each kind is repeated as often as it applies.
  const unsupported = invalid(field, scopes, 'unsupported scope');
  const unfit = invalid(field, scopes, misfit);
  return [
    ...scopes
      .slice(0, maxScopes)
      .flatMap((scope) => [
        ...(resourcesOf.has(scope) ? [] : [unsupported]),
        ...Array.from({ length: countMisfits(scope) }, () => unfit),
      ]),
    ...validatePairs(field, scopes, scopes),
  ];
}

/** There are only a few scopes. Errors beyond this limit would add nothing. */
const maxScopes = 1000;

function validateSelector({ scopes, scopeSelector }: ResourceQuotaSpec, resources: readonly string[]): FieldError[] {
  const field = 'spec.scopeSelector.matchExpressions';
  const requirements = scopeSelector?.matchExpressions ?? [];
  const countMisfits = misfitCounter(resources);
  const unfit = invalid(field, { MatchExpressions: requirements.map(internalForm) }, misfit);
  return [
    ...requirements
      .slice(0, maxScopes)
      .flatMap((requirement) => [
        ...validateScopeName(`${field}.scopeName`, requirement),
        ...Array.from({ length: countMisfits(requirement.scopeName) }, () => unfit),
        ...validateOperator(field, requirement),
      ]),
    ...validatePairs(
      field,
      scopes ?? null,
      requirements.map(({ scopeName }) => scopeName),
    ),
  ];
}

function validateScopeName(field: string, { scopeName }: ScopeRequirement): FieldError[] {
  return resourcesOf.has(scopeName) ? [] : [invalid(field, scopeName, 'unsupported scope')];
}

/** The number of resources that a scope does not apply to, computed once for each scope. */
function misfitCounter(resources: readonly string[]): (scope: string) => number {
  const counts = new Map<string, number>();
  return (scope) => {
    const known = counts.get(scope);
    if (known !== undefined) return known;
    const fitting = resourcesOf.get(scope);
    const count = fitting === undefined ? 0 : resources.filter((name) => !fitting.has(name)).length;
    counts.set(scope, Math.min(count, maxScopes));
    return Math.min(count, maxScopes);
  };
}

function validateOperator(field: string, { scopeName, operator, values = [] }: ScopeRequirement): FieldError[] {
  const errors: FieldError[] = [];
  if (valuelessScopes.has(scopeName) && operator !== 'Exists') {
    errors.push(invalid(`${field}.operator`, operator, mustExist));
  }
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) errors.push(required(`${field}.values`, atLeastOne));
      return errors;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) errors.push(invalid(`${field}.values`, values, noValue));
      return errors;
    default:
      return [...errors, invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

const misfit = 'unsupported scope applied to resource';
const mustExist =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';
const atLeastOne = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
const noValue = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";

function validatePairs(field: string, value: JsonValue, scopes: readonly string[]): FieldError[] {
  return [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ]
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => invalid(field, value, 'conflicting scopes'));
}

/** Kubernetes prints the internal form of the selector here, with Go's field names. */
function internalForm({ scopeName, operator, values }: ScopeRequirement): { [key: string]: JsonValue } {
  return { ScopeName: scopeName, Operator: operator, Values: values ?? null };
}

const quotaResources: ReadonlySet<string> = new Set([
  ...['', 'requests.', 'limits.'].flatMap((prefix) => [
    `${prefix}cpu`,
    `${prefix}memory`,
    `${prefix}ephemeral-storage`,
  ]),
  'requests.storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);

export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}
