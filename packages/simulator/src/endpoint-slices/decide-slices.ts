import { isV6, jsonEquals, parseIp } from '@flotilla/kube';
import type { Plan, PlannedEvent } from '@flotilla/runtime';
import type { Node, Pod } from '../kinds.ts';
import { networkKinds, type Endpoint, type EndpointPort, type EndpointSlice, type Service } from '../network-kinds.ts';
import { isReady, isTerminating } from '../pods/pod-state.ts';
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
import { endpointKey, inHashOrder, portsKey } from './endpoint-identity.ts';
import { hasOtherHints, withHints } from './hints.ts';
import { packEndpoints, type PackedSlice } from './pack-endpoints.ts';
import { slicePlan, type SliceChanges } from './slice-changes.ts';
import { managedByLabel, newSlice, serviceNameLabel, type SliceManager } from './slice-object.ts';

/** A Service with a selector, and all that its slices depend on. */
export interface SelectedEndpoints {
  readonly service: Readonly<Service>;
  readonly pods: readonly Readonly<Pod>[];
  /** Those that this controller manages. */
  readonly slices: readonly Readonly<EndpointSlice>[];
  /** By name. */
  readonly nodes: ReadonlyMap<string, Readonly<Node>>;
}

export const sliceManager: SliceManager = 'endpointslice-controller.k8s.io';

/** Keeps the endpoints of the Service's pods in slices: one group of slices for each family of addresses and list of ports. */
export function decideSlices({ service, pods, slices, nodes }: SelectedEndpoints): Plan {
  const families = familiesOf(service);
  const isPlaced = ({ spec }: Readonly<Pod>): boolean =>
    service.spec?.publishNotReadyAddresses === true || nodes.has(spec?.nodeName ?? '');
  const reachable = pods.filter((pod) => hasEndpoint(pod, { evenTerminating: true }));
  const groups = families.map((family) => familyGroups(service, family, reachable.filter(isPlaced), nodes));
  const changes = groups.map((group) => {
    const existing = slices.filter(({ addressType }) => addressType === group.family);
    return changesOf(service, group, existing);
  });
  const orphaned = slices.filter(({ addressType }) => !families.includes(addressType as IpFamily));

  const time = triggerTime(service, { isFirst: slices.length === 0, changed: changedPods({ pods, slices }, groups) });
  const timed = (slice: EndpointSlice): EndpointSlice => withAnnotations(slice, annotationsWith(time, slice));
  const all = {
    toCreate: changes.flatMap(({ toCreate }) => toCreate).map(timed),
    toUpdate: changes.flatMap(({ toUpdate }) => toUpdate).map(timed),
    toDelete: [...changes.flatMap(({ toDelete }) => toDelete), ...orphaned],
  };
  const unplaced = reachable.filter((pod) => !isPlaced(pod));
  return slicePlan(service, slices, all, unplaced.length === 0 ? [] : [unplacedEvent(service, unplaced)]);
}

/** A Service without families is one of an old server: those of its address, or both. */
function familiesOf({ spec = {} }: Readonly<Service>): IpFamily[] {
  const families = (['IPv4', 'IPv6'] as const).filter((family) => spec.ipFamilies?.includes(family));
  if (families.length > 0) return families;
  const address = parseIp(spec.clusterIP ?? '');
  if (address === undefined) return ['IPv4', 'IPv6'];
  return [isV6(address) ? 'IPv6' : 'IPv4'];
}

interface PodEndpoint {
  readonly pod: Readonly<Pod>;
  readonly endpoint: Endpoint;
}

/** The endpoints of a family, by list of ports: pods may have different ports of the same name. */
interface FamilyGroups {
  readonly family: IpFamily;
  readonly groups: ReadonlyMap<string, { readonly ports: EndpointPort[]; readonly members: PodEndpoint[] }>;
}

function familyGroups(
  service: Readonly<Service>,
  family: IpFamily,
  pods: readonly Readonly<Pod>[],
  nodes: SelectedEndpoints['nodes'],
): FamilyGroups {
  const groups = new Map<string, { ports: EndpointPort[]; members: PodEndpoint[] }>();
  for (const pod of pods) {
    const ports = portsFor(service, pod);
    const key = portsKey(ports);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { ports: inHashOrder(ports, 'discovery/v1'), members: [] }));
    const endpoint = endpointOf(service, family, pod, nodes.get(pod.spec?.nodeName ?? ''));
    if (endpoint.addresses.length > 0) group.members.push({ pod, endpoint });
  }
  return { family, groups };
}

function endpointOf(
  service: Readonly<Service>,
  family: IpFamily,
  pod: Readonly<Pod>,
  node: Readonly<Node> | undefined,
): Endpoint {
  const serving = isReady(pod);
  const terminating = isTerminating(pod);
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const hostname = hostnameFor(service, pod);
  const nodeName = pod.spec?.nodeName ?? '';
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone'] ?? '';
  return withHints(service, {
    addresses: addressesOf(pod, family),
    conditions: { ready, serving, terminating },
    ...(hostname !== undefined && { hostname }),
    targetRef: targetReference(pod),
    ...(nodeName !== '' && { nodeName }),
    ...(zone !== '' && { zone }),
  });
}

/** Pods that are new in the slices, or whose readiness changed since the slices were written. */
function changedPods(
  { pods, slices }: Pick<SelectedEndpoints, 'pods' | 'slices'>,
  families: readonly FamilyGroups[],
): Readonly<Pod>[] {
  const wasServing = new Map<string | undefined, boolean | undefined>();
  for (const { targetRef, conditions } of slices.flatMap(({ endpoints }) => endpoints ?? [])) {
    wasServing.set(targetRef?.name, conditions.serving);
  }
  const groups = families.flatMap((family) => [...family.groups.values()]);
  const wanted = new Set(groups.flatMap(({ members }) => members).map(({ pod }) => pod));
  return pods.filter((pod) => {
    const before = wasServing.get(pod.metadata.name);
    return before === undefined ? wanted.has(pod) : before !== isReady(pod);
  });
}

function changesOf(
  service: Readonly<Service>,
  { family, groups }: FamilyGroups,
  existing: readonly Readonly<EndpointSlice>[],
): SliceChanges {
  const labels = sliceLabels(service);
  const owned = existing.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid, kind }) => uid === service.metadata.uid && kind === 'Service'),
  );
  const toCreate: EndpointSlice[] = [];
  const toUpdate: EndpointSlice[] = [];
  const toDelete = existing.filter((slice) => !owned.includes(slice) || !groups.has(portsKey(slice.ports)));
  for (const [key, { ports, members }] of groups) {
    const wanted = new Map(members.map(({ endpoint }) => [endpointKey(endpoint), endpoint]));
    const group = owned.filter((slice) => portsKey(slice.ports) === key);
    for (const packed of packEndpoints(group, wanted)) {
      const { existing: before, endpoints } = packed;
      if (before === undefined) {
        toCreate.push({ ...newServiceSlice(service, labels, family, ports), endpoints });
      } else if (packed.isChanged && endpoints.length === 0) {
        toDelete.push(before);
      } else if (packed.isChanged || isOutdated(before, packed, service)) {
        toUpdate.push({ ...before, metadata: { ...before.metadata, labels }, endpoints });
      }
    }
  }
  return withPlaceholder(newServiceSlice(service, labels, family, []), existing, { toCreate, toUpdate, toDelete });
}

function isOutdated(before: Readonly<EndpointSlice>, { endpoints }: PackedSlice, service: Readonly<Service>): boolean {
  const hasLabels = jsonEquals(withoutReserved(before.metadata.labels), withoutReserved(service.metadata.labels));
  return !hasLabels || hasOtherHints(before, endpoints);
}

/** A Service without endpoints has one empty slice without ports for each family. */
function withPlaceholder(
  placeholder: EndpointSlice,
  existing: readonly Readonly<EndpointSlice>[],
  changes: SliceChanges,
): SliceChanges {
  const { toCreate, toUpdate, toDelete } = changes;
  if (existing.length !== toDelete.length || toCreate.length > 0) return changes;
  const [only] = toDelete;
  const isThere =
    toDelete.length === 1 &&
    only !== undefined &&
    (only.endpoints ?? []).length === 0 &&
    (only.ports ?? []).length === 0 &&
    jsonEquals(only.metadata.labels ?? {}, placeholder.metadata.labels ?? {});
  return isThere ? { toCreate, toUpdate, toDelete: [] } : { toCreate: [placeholder], toUpdate, toDelete };
}

const headlessLabel = 'service.kubernetes.io/headless';

/** Labels that say what a slice is: it does not inherit them. */
function withoutReserved(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { [serviceNameLabel]: _name, [managedByLabel]: _manager, [headlessLabel]: _headless, ...others } = labels;
  return others;
}

function sliceLabels(service: Readonly<Service>): Record<string, string> {
  return {
    ...withoutReserved(service.metadata.labels),
    ...(isHeadless(service) && { [headlessLabel]: '' }),
    [serviceNameLabel]: service.metadata.name ?? '',
    [managedByLabel]: sliceManager,
  };
}

function newServiceSlice(
  service: Readonly<Service>,
  labels: Record<string, string>,
  addressType: IpFamily,
  ports: readonly EndpointPort[],
): EndpointSlice {
  return newSlice(networkKinds.service, service, { labels, addressType, ports });
}

function withAnnotations(slice: EndpointSlice, annotations: Record<string, string>): EndpointSlice {
  return { ...slice, metadata: { ...slice.metadata, annotations } };
}

/** Kubernetes reports pods on nodes that do not exist, and leaves them out. */
function unplacedEvent(service: Readonly<Service>, pods: readonly Readonly<Pod>[]): PlannedEvent {
  const { namespace = '', name = '' } = service.metadata;
  const reasons = pods.map(
    ({ metadata, spec }) =>
      `skipping Pod ${metadata.name} for Service ${namespace}/${name}: Node ${spec?.nodeName ?? ''} Not Found`,
  );
  const causes = reasons.length === 1 ? reasons[0] : `[${reasons.join(', ')}]`;
  return {
    about: service,
    type: 'Warning',
    reason: 'FailedToUpdateEndpointSlices',
    message: `Error updating Endpoint Slices for Service ${namespace}/${name}: ${causes}`,
  };
}
