import {
  duplicate,
  forbidden,
  invalid,
  nameIsDnsSubdomain,
  parseQuantity,
  qualifiedNameProblems,
  required,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';
import { roundUpToMilli } from '../core-pods/resource-lists.ts';
import { checkContainerResourceName, mayBeOvercommitted } from '../core-pods/pod-validation/resource-names.ts';
import { validateResourceName, type ResourceList } from './resource-quantity.ts';

interface LimitRange {
  readonly spec?: { readonly limits?: readonly LimitRangeItem[] };
}

interface LimitRangeItem {
  readonly type: string;
  readonly max?: ResourceList;
  readonly min?: ResourceList;
  default?: ResourceList;
  defaultRequest?: ResourceList;
  readonly maxLimitRequestRatio?: ResourceList;
}

const standardTypes = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

/** `kubectl get` shows the default columns. */
export const limitRangeKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  nameRule: nameIsDnsSubdomain,
  createOnUpdate: true,
  setDefaults(object) {
    for (const item of limitsOf(object)) {
      if (item.type === 'Container') setContainerDefaults(item);
      const { max, min, default: limits, defaultRequest, maxLimitRequestRatio } = item;
      for (const list of [max, min, limits, defaultRequest, maxLimitRequestRatio]) roundUpToMilli(list);
    }
  },
  prepareForCreate({ metadata }) {
    // The only kind that may be created without a name.
    if (!metadata.name && metadata.uid !== undefined) metadata.name = metadata.uid;
  },
  validate: validateLimitRange,
  validateUpdate: validateLimitRange,
};

function limitsOf(object: KubeObject): readonly LimitRangeItem[] {
  return (object as KubeObject & LimitRange).spec?.limits ?? [];
}

/** Limits default to the maximum; requests default to the limits, else to the minimum. */
function setContainerDefaults(item: LimitRangeItem): void {
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}

function validateLimitRange(object: KubeObject): FieldError[] {
  const types = new Set<string>();
  return limitsOf(object).flatMap((item, index) => {
    const field = `spec.limits[${index}]`;
    const isRepeated = types.has(item.type);
    types.add(item.type);
    return [
      ...validateType(`${field}.type`, item.type),
      ...(isRepeated ? [duplicate(`${field}.type`, item.type)] : []),
      ...validateNames(item, field),
      ...amountsByResource(item).flatMap(([name, amounts]) => validateAmounts(field, name, amounts)),
    ];
  });
}

function validateType(field: string, type: string): FieldError[] {
  const problems = qualifiedNameProblems(type);
  if (problems.length > 0) return problems.map((message) => invalid(field, type, message));
  if (type.includes('/') || standardTypes.has(type)) return [];
  return [invalid(field, type, 'must be a standard limit type or fully qualified')];
}

function validateNames(item: LimitRangeItem, field: string): FieldError[] {
  const names = (child: string, list: ResourceList = {}) =>
    Object.keys(list).flatMap((name) => validateLimitName(item.type, `${field}.${child}[${name}]`, name));
  return [
    ...names('max', item.max),
    ...names('min', item.min),
    ...(item.type === 'Pod'
      ? refuseDefaults(item, field)
      : [...names('default', item.default), ...names('defaultRequest', item.defaultRequest)]),
    ...requireStorage(item, field),
    ...names('maxLimitRequestRatio', item.maxLimitRequestRatio),
  ];
}

function validateLimitName(type: string, field: string, name: string): FieldError[] {
  if (type !== 'Pod' && type !== 'Container') return validateResourceName(field, name);
  const errors: FieldError[] = [];
  checkContainerResourceName(errors, field, name);
  return errors;
}

function refuseDefaults(item: LimitRangeItem, field: string): FieldError[] {
  const detail = "may not be specified when `type` is 'Pod'";
  return (['default', 'defaultRequest'] as const)
    .filter((child) => Object.keys(item[child] ?? {}).length > 0)
    .map((child) => forbidden(`${field}.${child}`, detail));
}

function requireStorage({ type, min = {}, max = {} }: LimitRangeItem, field: string): FieldError[] {
  if (type !== 'PersistentVolumeClaim' || Object.hasOwn(min, 'storage') || Object.hasOwn(max, 'storage')) return [];
  const detail = 'either minimum or maximum storage value is required, but neither was provided';
  return [required(`${field}.limits`, detail)];
}

interface Amounts {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly limit?: string | undefined;
  readonly request?: string | undefined;
  readonly ratio?: string | undefined;
}

function amountsByResource(item: LimitRangeItem): [string, Amounts][] {
  const { max = {}, min = {}, maxLimitRequestRatio: ratios = {} } = item;
  // Defaults of pods are refused as a whole.
  const { default: limits = {}, defaultRequest: requests = {} } = item.type === 'Pod' ? {} : item;
  const names = new Set([max, min, limits, requests, ratios].flatMap((list) => Object.keys(list)));
  return Array.from(names, (name) => [
    name,
    {
      min: ownAmount(min, name),
      max: ownAmount(max, name),
      limit: ownAmount(limits, name),
      request: ownAmount(requests, name),
      ratio: ownAmount(ratios, name),
    },
  ]);
}

function ownAmount(list: ResourceList, name: string): string | undefined {
  return Object.hasOwn(list, name) ? list[name] : undefined;
}

function validateAmounts(field: string, name: string, amounts: Amounts): FieldError[] {
  const { min, max, limit, request } = amounts;
  const at = (child: string) => `${field}.${child}[${name}]`;
  const errors: FieldError[] = [];
  if (isAbove(min, max)) errors.push(invalid(at('min'), min, `min value ${min} is greater than max value ${max}`));
  if (isAbove(min, request)) {
    const detail = `min value ${min} is greater than default request value ${request}`;
    errors.push(invalid(at('defaultRequest'), request, detail));
  }
  if (isAbove(request, max)) {
    const detail = `default request value ${request} is greater than max value ${max}`;
    errors.push(invalid(at('defaultRequest'), request, detail));
  }
  if (isAbove(request, limit)) {
    const detail = `default request value ${request} is greater than default limit value ${limit}`;
    errors.push(invalid(at('defaultRequest'), request, detail));
  }
  // Kubernetes shows the bound here, not the default that violates it.
  if (isAbove(min, limit)) {
    errors.push(invalid(at('default'), min, `min value ${min} is greater than default value ${limit}`));
  }
  if (isAbove(limit, max)) {
    errors.push(invalid(at('default'), max, `default value ${limit} is greater than max value ${max}`));
  }
  return [...errors, ...validateRatio(field, name, amounts), ...validateNoOvercommit(field, name, amounts)];
}

function isAbove(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && parseQuantity(left).compare(parseQuantity(right)) > 0;
}

function validateRatio(field: string, name: string, { min, max, ratio }: Amounts): FieldError[] {
  if (ratio === undefined) return [];
  const path = `${field}.maxLimitRequestRatio[${name}]`;
  const errors: FieldError[] = [];
  if (isAbove('1', ratio)) errors.push(invalid(path, ratio, `ratio ${ratio} is less than 1`));
  if (min === undefined || max === undefined) return errors;
  const most = milli(max) / milli(min);
  if (milli(ratio) / 1000 > most) {
    errors.push(invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`));
  }
  return errors;
}

function milli(amount: string): number {
  return Number(parseQuantity(amount).milliValue());
}

function validateNoOvercommit(field: string, name: string, { limit, request }: Amounts): FieldError[] {
  if (mayBeOvercommitted(name) || limit === undefined || request === undefined) return [];
  if (parseQuantity(limit).compare(parseQuantity(request)) === 0) return [];
  const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
  return [invalid(`${field}.defaultRequest[${name}]`, request, detail)];
}
