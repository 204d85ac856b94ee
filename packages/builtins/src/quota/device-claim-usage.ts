import { Quantity, type JsonObject, type KubeObject } from '@flotilla/kube';
import type { PodFields } from '../kinds/core-pods/pod-fields.ts';
import { amount, one, type Amounts } from './amounts.ts';
import type { QuotaEvaluator, UsageContext } from './evaluator.ts';
import { isExtendedRequest, podUsage } from './pod-evaluator.ts';

interface DeviceClaim extends KubeObject {
  spec?: { devices?: { requests?: DeviceRequest[] } };
}

interface DeviceRequest extends JsonObject {
  exactly?: ExactRequest;
  firstAvailable?: ExactRequest[];
}

interface ExactRequest extends JsonObject {
  deviceClassName: string;
  allocationMode?: string;
  count?: number | bigint;
}

interface DeviceClass extends KubeObject {
  spec?: { extendedResourceName?: string };
}

const countName = 'count/resourceclaims.resource.k8s.io';
const perClassSuffix = '.deviceclass.resource.k8s.io/devices';
const requestsPrefix = 'requests.';
const implicitPrefix = 'requests.deviceclass.resource.kubernetes.io/';

/** Mode All may allocate so many devices. */
const maxDevices = 32;

/** A claim that the scheduler made for the extended resources of a pod, which count as the pod's. */
const extendedClaimAnnotation = 'resource.kubernetes.io/extended-resource-claim';

export const deviceClaimEvaluator: QuotaEvaluator = {
  isCounted: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  matchingNames(quotaNames, context) {
    return [...quotaNames.keys()].filter((name) => {
      if (name === countName || name.endsWith(perClassSuffix)) return true;
      if (!isExtendedRequest(name)) return false;
      return name.startsWith(implicitPrefix)
        ? extendedNameOf(name.slice(implicitPrefix.length), context) !== undefined
        : isClassFor(name.slice(requestsPrefix.length), context);
    });
  },
  usageOf(object, context) {
    const usage = new Map<string, Quantity>([[countName, one]]);
    for (const request of (object as DeviceClaim).spec?.devices?.requests ?? []) {
      for (const [name, devices] of devicesOf(request)) {
        usage.set(name, (usage.get(name) ?? Quantity.zero).plus(devices));
      }
    }
    addExtended(usage, object, context);
    return usage;
  },
};

/** Devices by class. Of alternatives, the most that one of them needs counts. */
function devicesOf({ exactly, firstAvailable = [] }: DeviceRequest): Amounts {
  const devices = new Map<string, Quantity>();
  for (const request of firstAvailable.length > 0 ? firstAvailable : [exactly]) {
    if (request === undefined) continue;
    const name = request.deviceClassName + perClassSuffix;
    const needed = amount(countOf(request));
    const before = devices.get(name);
    if (before === undefined ? needed.sign > 0 || firstAvailable.length === 0 : needed.compare(before) > 0)
      devices.set(name, needed);
  }
  return devices;
}

function countOf({ allocationMode, count = 0 }: ExactRequest): number | bigint {
  if (allocationMode === 'All') return maxDevices;
  return allocationMode === 'ExactCount' ? count : 0;
}

/** Devices count as extended resources of their classes too, unless the pod that owns the claim is charged for them. */
function addExtended(usage: Map<string, Quantity>, claim: KubeObject, context: UsageContext): void {
  const extended = new Map<string, Quantity>();
  for (const [name, devices] of usage) {
    if (!name.endsWith(perClassSuffix) || name === perClassSuffix) continue;
    const className = name.slice(0, -perClassSuffix.length);
    extended.set(implicitPrefix + className, devices);
    const resource = extendedNameOf(className, context);
    if (resource !== undefined) extended.set(requestsPrefix + resource, devices);
  }
  const ofPod = extended.size === 0 ? undefined : usageOfOwner(claim, context);
  for (const [name, devices] of extended) {
    const rest = devices.minus(ofPod?.get(name) ?? Quantity.zero);
    if (rest.sign > 0) usage.set(name, rest);
  }
}

/** The usage of the pod that the claim was made for. A second claim for the same pod is not exempt. */
function usageOfOwner(claim: KubeObject, context: UsageContext): Amounts | undefined {
  const owner = podOwnerOf(claim);
  const pod = owner && (context.pod(owner.name) as PodFields | undefined);
  if (!owner || !pod || pod.metadata.uid !== owner.uid) return undefined;
  const { name = '' } = claim.metadata;
  const reported = (pod.status as JsonObject | undefined)?.['extendedResourceClaimStatus'] as
    | { resourceClaimName?: string }
    | undefined;
  if (reported ? reported.resourceClaimName !== name : isPreceded(claim, owner.uid, context)) return undefined;
  return podUsage(pod, context.now);
}

function podOwnerOf({ metadata }: KubeObject): { readonly name: string; readonly uid: string } | undefined {
  if (metadata.annotations?.[extendedClaimAnnotation] !== 'true') return undefined;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner?.kind === 'Pod' && owner.apiVersion === 'v1' ? owner : undefined;
}

function isPreceded({ metadata }: KubeObject, podUid: string, { deviceClaims }: UsageContext): boolean {
  const created = metadata.creationTimestamp ?? '';
  for (const other of deviceClaims()) {
    if (podOwnerOf(other)?.uid !== podUid) continue;
    const otherCreated = other.metadata.creationTimestamp ?? '';
    if (otherCreated < created) return true;
    if (otherCreated === created && (other.metadata.name ?? '') < (metadata.name ?? '')) return true;
  }
  return false;
}

function extendedNameOf(className: string, { deviceClasses }: UsageContext): string | undefined {
  for (const { metadata, spec } of deviceClasses() as Iterable<DeviceClass>) {
    if (metadata.name === className) return spec?.extendedResourceName || undefined;
  }
  return undefined;
}

function isClassFor(resource: string, { deviceClasses }: UsageContext): boolean {
  for (const { spec } of deviceClasses() as Iterable<DeviceClass>) {
    if (spec?.extendedResourceName === resource) return true;
  }
  return false;
}
