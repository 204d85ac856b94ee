import { parseQuantity } from '@flotilla/kube';
import type { PodFields, ResourceList, ResourceRequirementsFields } from './pod-fields.ts';
import { compareQuantities, entryOf } from './resource-lists.ts';

type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const computeResources = ['cpu', 'memory'] as const;

/** Guaranteed means that the limits of each container equal its requests. */
export function qosClassOf({ spec }: Pick<PodFields, 'spec'>): QosClass {
  const parts: readonly (ResourceRequirementsFields | undefined)[] = spec.resources
    ? [spec.resources]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => resources);
  const requests = totals(parts, 'requests');
  const limits = totals(parts, 'limits');
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isLimited = spec.resources ? hasLimitsIfAny(spec.resources) : parts.every((part) => hasAllLimits(part?.limits));
  const isGuaranteed =
    isLimited &&
    requests.size === limits.size &&
    [...requests].every(([name, request]) => compareQuantities(request, limits.get(name) ?? '0') === 0);
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function hasLimitsIfAny({ limits }: ResourceRequirementsFields): boolean {
  return limits === undefined || Object.keys(limits).length === 0 || hasAllLimits(limits);
}

function hasAllLimits(limits: ResourceList | undefined): boolean {
  return computeResources.every((name) => isPositive(entryOf(limits, name)));
}

function isPositive(quantity: string | undefined): quantity is string {
  return quantity !== undefined && quantity !== '0' && parseQuantity(quantity).sign > 0;
}

function totals(
  parts: readonly (ResourceRequirementsFields | undefined)[],
  which: 'requests' | 'limits',
): ReadonlyMap<string, string> {
  const sums = new Map<string, string>();
  for (const part of parts) {
    for (const name of computeResources) {
      const quantity = entryOf(part?.[which], name);
      if (!isPositive(quantity)) continue;
      const before = sums.get(name);
      sums.set(name, before === undefined ? quantity : parseQuantity(quantity).plus(parseQuantity(before)).toString());
    }
  }
  return sums;
}
