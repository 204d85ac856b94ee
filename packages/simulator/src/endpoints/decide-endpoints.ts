import { jsonEquals, type JsonValue } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import type { Pod } from '../kinds.ts';
import {
  networkKinds,
  type EndpointAddress,
  type EndpointPort,
  type Endpoints,
  type EndpointSlice,
  type EndpointSubset,
  type Service,
} from '../network-kinds.ts';
import { isReady } from '../pods/pod-state.ts';
import {
  addressesOf,
  hasEndpoint,
  hostnameFor,
  isHeadless,
  portsFor,
  targetReference,
  type IpFamily,
} from '../services/pod-endpoint.ts';
import { annotationsWith, triggerTime } from '../services/trigger-time.ts';
import { repackSubsets } from './repack-subsets.ts';
import { isOverCapacity, truncateSubsets } from './truncate-subsets.ts';

/** A Service with a selector, its pods and slices, and the Endpoints of its name. */
export interface PodAddresses {
  readonly service: Readonly<Service>;
  readonly pods: readonly Readonly<Pod>[];
  readonly slices: readonly Readonly<EndpointSlice>[];
  readonly endpoints: Readonly<Endpoints> | undefined;
}

const managedByLabel = 'endpoints.kubernetes.io/managed-by';
const headlessLabel = 'service.kubernetes.io/headless';
const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity';

export function decideEndpoints(state: PodAddresses, now: Date): Plan {
  const { service, pods, endpoints } = state;
  const subsets = repackSubsets(pods.flatMap((pod) => subsetsOf(service, pod)));
  const labels = { ...service.metadata.labels, [managedByLabel]: 'endpoint-controller' };
  if (endpoints !== undefined && isCurrent(endpoints, subsets, labels)) return nothingToDo;

  const { name = '', namespace = '' } = service.metadata;
  const before: Endpoints = endpoints ?? { apiVersion: 'v1', kind: 'Endpoints', metadata: { name, namespace } };
  const changed = endpoints === undefined ? [] : changedPods(state);
  const time = triggerTime(service, { isFirst: isFirst(state, now), changed });
  const { [overCapacityAnnotation]: _, ...annotations } = annotationsWith(time, before);
  const isCut = isOverCapacity(subsets);
  const object: Endpoints = {
    ...before,
    metadata: {
      ...before.metadata,
      labels: isHeadless(service) ? { ...labels, [headlessLabel]: '' } : withoutHeadless(labels),
      annotations: isCut ? { ...annotations, [overCapacityAnnotation]: 'truncated' } : annotations,
    },
    subsets: isCut ? truncateSubsets(subsets) : subsets,
  };
  return { steps: [[{ verb: endpoints === undefined ? 'create' : 'update', kind: networkKinds.endpoints, object }]] };
}

function withoutHeadless(labels: Readonly<Record<string, string>>): Record<string, string> {
  const { [headlessLabel]: _, ...others } = labels;
  return others;
}

/** One subset for each port; `repackSubsets` joins those of all pods. */
function subsetsOf(service: Readonly<Service>, pod: Readonly<Pod>): EndpointSubset[] {
  const address = addressFor(service, pod);
  if (address === undefined) return [];
  const isWithoutPorts = (service.spec?.ports ?? []).length === 0 && service.spec?.clusterIP === 'None';
  const reached = isWithoutPorts ? [[]] : portsFor(service, pod).map((port) => [withoutEmptyName(port)]);
  const list = isPublished(service, pod) ? 'addresses' : 'notReadyAddresses';
  return reached.map((offered) => ({ [list]: [address], ports: offered }));
}

function isPublished({ spec = {} }: Readonly<Service>, pod: Readonly<Pod>): boolean {
  return spec.publishNotReadyAddresses === true || isReady(pod);
}

function withoutEmptyName({ name, ...port }: EndpointPort): EndpointPort {
  return name === undefined || name === '' ? port : { name, ...port };
}

/** The pod's address of the Service's first family. */
function addressFor(service: Readonly<Service>, pod: Readonly<Pod>): EndpointAddress | undefined {
  const { publishNotReadyAddresses = false, ipFamilies } = service.spec ?? {};
  if (!hasEndpoint(pod, { evenTerminating: publishNotReadyAddresses })) return undefined;
  const family = (ipFamilies?.[0] ?? (service.spec?.clusterIP?.includes(':') ? 'IPv6' : 'IPv4')) as IpFamily;
  const [ip] = addressesOf(pod, family);
  if (ip === undefined) return undefined;
  const hostname = hostnameFor(service, pod);
  const nodeName = pod.spec?.nodeName ?? '';
  return { ip, ...(hostname !== undefined && { hostname }), nodeName, targetRef: targetReference(pod) };
}

function isCurrent(
  { metadata, subsets }: Readonly<Endpoints>,
  wanted: readonly EndpointSubset[],
  labels: Readonly<Record<string, string>>,
): boolean {
  const isWithinCapacity = !isOverCapacity(wanted) && metadata.annotations?.[overCapacityAnnotation] === undefined;
  return (
    isWithinCapacity &&
    jsonEquals(withoutHeadless(metadata.labels ?? {}), withoutHeadless(labels)) &&
    jsonEquals(significant(subsets ?? []), significant(wanted))
  );
}

/** Without the versions of targets, which change with every write. */
function significant(subsets: readonly Readonly<EndpointSubset>[]): JsonValue {
  const addressOf = ({ targetRef, ...address }: EndpointAddress): EndpointAddress =>
    targetRef === undefined ? address : { ...address, targetRef: { ...targetRef, resourceVersion: '' } };
  return subsets.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => ({
    addresses: addresses.map(addressOf),
    notReadyAddresses: notReadyAddresses.map(addressOf),
    ports,
  }));
}

/** Pods that are new in the Endpoints, or whose readiness changed since they were written. */
function changedPods({ service, pods, endpoints }: PodAddresses): Readonly<Pod>[] {
  const ready = targets(endpoints, 'addresses');
  const notReady = targets(endpoints, 'notReadyAddresses');
  return pods.filter((pod) => {
    const { uid = '' } = pod.metadata;
    if (ready.has(uid)) return !isPublished(service, pod);
    return notReady.has(uid) ? isReady(pod) : subsetsOf(service, pod).length > 0;
  });
}

function targets(endpoints: Readonly<Endpoints> | undefined, list: 'addresses' | 'notReadyAddresses'): Set<string> {
  const addresses = (endpoints?.subsets ?? []).flatMap((subset) => subset[list] ?? []);
  return new Set(addresses.map(({ targetRef }) => targetRef?.uid ?? ''));
}

/** Slices are written with the first Endpoints. If they are older, the Endpoints were deleted. */
const togetherMs = 2000;

function isFirst({ endpoints, slices }: PodAddresses, now: Date): boolean {
  if (endpoints !== undefined) return endpoints.metadata.labels?.[managedByLabel] === undefined;
  return slices.every(({ metadata }) => now.getTime() - Date.parse(metadata.creationTimestamp ?? '') < togetherMs);
}
