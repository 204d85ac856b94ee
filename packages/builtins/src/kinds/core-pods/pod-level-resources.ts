import { forbidden, invalid, type FieldError } from '@flotilla/kube';
import type { PodSpecFields, ResourceList } from './pod-fields.ts';
import {
  checkPodResourceName,
  isHugePages,
  isPodLevelResource,
  mayBeOvercommitted,
} from './pod-validation/resource-names.ts';
import { checkResources } from './pod-validation/resources.ts';
import { aggregateResources, compareQuantities, entryOf, type ResourceTotals } from './resource-lists.ts';
import { putAllSorted } from '../sorted-map.ts';

/** Missing pod-level resources default to those of the containers, then to the pod's own limits. */
export function setPodResourceDefaults(spec: PodSpecFields): void {
  defaultHugePageLimits(spec);
  defaultRequests(spec);
}

function defaultHugePageLimits({ resources = {}, ...spec }: PodSpecFields): void {
  if (isEmpty(resources.limits) && isEmpty(resources.requests)) return;
  const limits = resources.limits ?? {};
  const missing = [...aggregateResources(spec, 'limits')].filter(([name]) => {
    return isHugePages(name) && entryOf(resources.requests, name) === undefined && entryOf(limits, name) === undefined;
  });
  putAllSorted(limits, missing);
  if (!isEmpty(limits)) resources.limits = limits;
}

function defaultRequests({ resources = {}, ...spec }: PodSpecFields): void {
  if (isEmpty(resources.limits)) return;
  const requests = resources.requests ?? {};
  const isMissing = ([name]: readonly [string, string]): boolean => {
    return isPodLevelResource(name) && entryOf(requests, name) === undefined;
  };
  const ofContainers = [...aggregateResources(spec, 'requests')].filter(([name]) => mayBeOvercommitted(name));
  putAllSorted(requests, ofContainers.filter(isMissing));
  putAllSorted(requests, Object.entries(resources.limits ?? {}).filter(isMissing));
  if (!isEmpty(requests)) resources.requests = requests;
}

function isEmpty(list: ResourceList | undefined): boolean {
  return list === undefined || Object.keys(list).length === 0;
}

export function checkPodResources(
  errors: FieldError[],
  specPath: string,
  spec: PodSpecFields,
  claimNames: ReadonlySet<string>,
): void {
  const path = `${specPath}.resources`;
  if (spec.resources === undefined) return;
  if (spec.os?.name === 'windows') return void errors.push(forbidden(path, 'may not be set for a windows pod'));
  if (spec.resources.claims !== undefined) {
    errors.push(forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level'));
  }
  checkResources(errors, path, spec.resources, claimNames, checkPodResourceName);
  checkTotals(errors, path, spec);
  checkContainerLimits(errors, path, spec);
}

function checkTotals(errors: FieldError[], path: string, spec: PodSpecFields): void {
  checkTotal(errors, `${path}.requests`, 'requests', aggregateResources(spec, 'requests'), spec.resources?.requests);
  const limits = [...aggregateResources(spec, 'limits')].filter(([name]) => isHugePages(name));
  checkTotal(errors, `${path}.limits`, 'limits', new Map(limits), spec.resources?.limits);
}

function checkTotal(
  errors: FieldError[],
  path: string,
  noun: string,
  ofContainers: ResourceTotals,
  ofPod: ResourceList | undefined,
): void {
  for (const [name, total] of ofContainers) {
    const own = entryOf(ofPod, name);
    if (own === undefined || compareQuantities(total, own) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container ${noun} of ${total}`;
    errors.push(invalid(`${path}[${name}]`, own, detail));
  }
}

function checkContainerLimits(errors: FieldError[], path: string, spec: PodSpecFields): void {
  spec.containers?.forEach(({ resources }, i) => {
    for (const [name, limit] of Object.entries(resources?.limits ?? {})) {
      const ofPod = entryOf(spec.resources?.limits, name);
      if (ofPod === undefined || compareQuantities(limit, ofPod) <= 0) continue;
      const field = `${path}.containers[${i}][${name}].limits`;
      errors.push(invalid(field, limit, `must be less than or equal to pod limits of ${ofPod}`));
    }
  });
}
