import { invalid, nameIsDnsSubdomain, parseQuantity, type FieldError, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { roundUpToMilli } from '../core-pods/resource-lists.ts';
import { isQuotaResource, validateScopes } from './quota-scopes.ts';
import { validateResourceName, validateResourceQuantity, type ResourceList } from './resource-quantity.ts';

export interface ResourceQuotaSpec {
  readonly hard?: ResourceList;
  readonly scopes?: string[];
  readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] };
}

export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: string[];
}

interface ResourceQuota {
  spec?: ResourceQuotaSpec;
  status?: { readonly hard?: ResourceList; readonly used?: ResourceList };
}

export const resourceQuotaKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  setDefaults(object) {
    const { spec, status } = quotaOf(object);
    for (const list of [spec?.hard, status?.hard, status?.used]) roundUpToMilli(list);
  },
  prepareForCreate(object) {
    quotaOf(object).status = {};
  },
  prepareForUpdate(object, old) {
    quotaOf(object).status = quotaOf(old).status ?? {};
  },
  validate: (object) => validateSpec(quotaOf(object).spec ?? {}),
  validateUpdate(object, old) {
    const { spec = {} } = quotaOf(object);
    const errors = validateSpec(spec);
    if (!sameMembers(spec.scopes, quotaOf(old).spec?.scopes)) {
      errors.push(invalid('spec.scopes', spec.scopes, 'field is immutable'));
    }
    return errors;
  },
  warnings: (object, old) => (old === undefined ? requestsAboveLimits(quotaOf(object).spec?.hard ?? {}) : []),
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        quotaOf(object).spec = quotaOf(old).spec ?? {};
      },
      validateUpdate(object) {
        const { hard, used } = quotaOf(object).status ?? {};
        return [...validateAmounts('status.hard', hard), ...validateAmounts('status.used', used)];
      },
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Request', 'string', 'Used and allowed requests.'),
      column('Limit', 'string', 'Used and allowed limits.'),
      ageColumn,
    ],
    cells: (object, now) => [object.metadata.name ?? '', ...usageTexts(quotaOf(object)), age(object, now)],
  },
  resetFields: [['status']],
};

function quotaOf(object: KubeObject): ResourceQuota {
  return object as KubeObject & ResourceQuota;
}

function validateSpec(spec: ResourceQuotaSpec): FieldError[] {
  return [...validateAmounts('spec.hard', spec.hard), ...validateScopes(spec)];
}

function validateAmounts(field: string, amounts: ResourceList = {}): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const path = `${field}[${name}]`;
    return [...validateQuotaName(path, name), ...validateResourceQuantity(path, name, amount)];
  });
}

function validateQuotaName(field: string, name: string): FieldError[] {
  const errors = validateResourceName(field, name);
  if (name.includes('/') || isQuotaResource(name)) return errors;
  return [...errors, invalid(field, name, 'must be a standard resource for quota')];
}

function requestsAboveLimits(hard: ResourceList): string[] {
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const isShort = name === 'cpu' || name === 'memory';
    const request = isShort && !Object.hasOwn(hard, `requests.${name}`) ? name : `requests.${name}`;
    const [asked, limit] = [hard[request], hard[`limits.${name}`]];
    if (asked === undefined || limit === undefined) return [];
    if (parseQuantity(asked).compare(parseQuantity(limit)) <= 0) return [];
    return [`ResourceQuota ${request} (${asked}) should be less than limits.${name} (${limit})`];
  });
}

function usageTexts({ status: { hard = {}, used = {} } = {} }: ResourceQuota): [requests: string, limits: string] {
  const names = Object.keys(hard).sort();
  const text = (name: string) => `${name}: ${used[name] ?? '0'}/${hard[name] ?? '0'}`;
  const isLimit = (name: string) => name.startsWith('limits.');
  return [
    names
      .filter((name) => !isLimit(name))
      .map(text)
      .join(', '),
    names.filter(isLimit).map(text).join(', '),
  ];
}

function sameMembers(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.every((item) => b.includes(item)) && b.every((item) => a.includes(item));
}
