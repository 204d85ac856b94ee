import type { KubeObject, Quantity } from '@flotilla/kube';
import type { Int64, PodFields, ResourceRequirementsFields } from '../kinds/core-pods/pod-fields.ts';
import { isPodLevelResource, podTotals } from '../kinds/core-pods/pod-totals.ts';
import { addAmounts, one, parseAmounts, type Amounts } from './amounts.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { isTerminatingPod, podMatchesScope } from './pod-scopes.ts';

const countName = 'count/pods';
const compute = ['cpu', 'memory', 'ephemeral-storage'] as const;
const podNames: ReadonlySet<string> = new Set([
  countName,
  'pods',
  ...compute.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

/** If a quota counts one of these, every container must say it. Kubernetes regrets that, and has no more of them. */
const demandedNames: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

const requestsPrefix = 'requests.';
const deviceClassPrefix = 'deviceclass.resource.kubernetes.io/';

export const podEvaluator: QuotaEvaluator = {
  isCounted({ operation, subresource, object, old }) {
    if (subresource === 'resize') return operation === 'UPDATE';
    if (subresource !== '') return false;
    return operation === 'CREATE' || (old !== undefined && isTerminatingPod(object) !== isTerminatingPod(old));
  },
  matchingNames: (quotaNames) => [...quotaNames.keys()].filter((name) => isPodName(name)),
  matchesScope: podMatchesScope,
  omission: (names, object) => omissionOf(names, object as PodFields),
  usageOf: (object, { now }) => podUsage(object, now),
};

function isPodName(name: string): boolean {
  return (
    podNames.has(name) ||
    name.startsWith('hugepages-') ||
    name.startsWith('requests.hugepages-') ||
    isExtendedRequest(name)
  );
}

/** `requests.` and the name of an extended resource, whose requests and limits are always equal. */
export function isExtendedRequest(name: string): boolean {
  if (!name.startsWith(requestsPrefix)) return false;
  return name.startsWith(requestsPrefix + deviceClassPrefix) || !isNative(name);
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** `count/pods` counts every stored pod. Everything else ends with the pod's life. */
export function podUsage(object: KubeObject, now: Date): Amounts {
  const usage = new Map([[countName, one]]);
  if (!isCharged(object, now)) return usage;
  const pod = object as PodFields;
  addAmounts(usage, computeUsage(podTotals(pod, 'requests'), podTotals(pod, 'limits')));
  return usage;
}

/** A pod that has ended, or should have been gone after its grace period (its node is lost), is not charged. */
function isCharged(object: KubeObject, now: Date): boolean {
  const { status } = object as Partial<PodFields>;
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  return now.getTime() <= (podReleaseTime(object) ?? Infinity);
}

/** When a pod that is being deleted stops being charged, in milliseconds since 1970; undefined if it is not being deleted. */
export function podReleaseTime({ metadata }: KubeObject): number | undefined {
  const { deletionTimestamp } = metadata;
  const graceSeconds = metadata['deletionGracePeriodSeconds'] as Int64 | undefined;
  if (!deletionTimestamp || graceSeconds === undefined) return undefined;
  return Date.parse(deletionTimestamp) + Number(graceSeconds) * 1000;
}

function computeUsage(requests: Amounts, limits: Amounts): Amounts {
  const usage = new Map<string, Quantity>([['pods', one]]);
  for (const name of compute) {
    const request = requests.get(name);
    const limit = limits.get(name);
    if (request !== undefined) usage.set(name, request).set(requestsPrefix + name, request);
    if (limit !== undefined) usage.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith('hugepages-')) usage.set(name, request).set(requestsPrefix + name, request);
    else if (isExtended(name)) usage.set(requestsPrefix + name, request);
  }
  return usage;
}

function isExtended(name: string): boolean {
  return name.startsWith(deviceClassPrefix) || (!isNative(name) && !name.startsWith(requestsPrefix));
}

/** Resources of the pod itself spare its containers. */
function omissionOf(names: readonly string[], { spec }: PodFields): string | undefined {
  if (hasOwnResources(spec.resources)) return undefined;
  const demanded = names.filter((name) => demandedNames.has(name));
  if (demanded.length === 0) return undefined;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const said = containers.map(({ name, resources }) => ({
    name,
    usage: computeUsage(parseAmounts(resources?.requests), parseAmounts(resources?.limits)),
  }));
  const omissions = demanded.toSorted().flatMap((name) => {
    const silent = said.filter(({ usage }) => !usage.has(name)).map((container) => container.name);
    return silent.length === 0 ? [] : `${name} for: ${[...new Set(silent)].toSorted().join(',')}`;
  });
  return omissions.length === 0 ? undefined : `must specify ${omissions.join('; ')}`;
}

function hasOwnResources(resources: ResourceRequirementsFields | undefined): boolean {
  const names = [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})];
  return names.some(isPodLevelResource);
}
