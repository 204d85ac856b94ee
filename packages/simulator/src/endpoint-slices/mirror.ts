import { formatIp, isV6, jsonEquals, parseIp } from '@flotilla/kube';
import { nothingToDo, type Plan, type PlannedEvent } from '@flotilla/runtime';
import { repackSubsets } from '../endpoints/repack-subsets.ts';
import {
  networkKinds,
  type Endpoint,
  type EndpointAddress,
  type EndpointPort,
  type Endpoints,
  type EndpointSlice,
  type EndpointSubset,
  type Service,
} from '../network-kinds.ts';
import type { IpFamily } from '../services/pod-endpoint.ts';
import { annotationsWith } from '../services/trigger-time.ts';
import { endpointKey, inHashOrder, isSameState, portsKey } from './endpoint-identity.ts';
import { inPlaceOf, slicePlan } from './slice-changes.ts';
import { managedByLabel, newSlice, serviceNameLabel, type SliceManager } from './slice-object.ts';

/** Endpoints, the Service of their name, and their copies as slices. */
export interface MirroredEndpoints {
  readonly endpoints: Readonly<Endpoints> | undefined;
  readonly service: Readonly<Service> | undefined;
  readonly slices: readonly Readonly<EndpointSlice>[];
}

export const mirroringManager: SliceManager = 'endpointslicemirroring-controller.k8s.io';

/** More addresses of a subset are not mirrored. */
const maxAddresses = 1000;

/** Mirrors Endpoints that users wrote for a Service without selector, and deletes the copies of all others. */
export function decideMirror({ endpoints, service, slices }: MirroredEndpoints): Plan {
  if (endpoints === undefined || service?.spec === undefined || !isMirrored(endpoints, service)) {
    if (slices.length === 0) return nothingToDo;
    return slicePlan(endpoints ?? { apiVersion: 'v1', kind: 'Endpoints', metadata: {} }, slices, {
      toCreate: [],
      toUpdate: [],
      toDelete: slices,
    });
  }
  const { groups, events } = groupsOf(endpoints);
  const toCreate: EndpointSlice[] = [];
  const toUpdate: EndpointSlice[] = [];
  const toDelete = slices.filter((slice) => !groups.has(groupKey(slice.addressType, slice.ports)));
  for (const [key, { family, ports, wanted }] of groups) {
    const [first, ...others] = slices.filter((slice) => groupKey(slice.addressType, slice.ports) === key);
    if (first !== undefined && wanted.size === 0) toDelete.push(first);
    toDelete.push(...others);
    if (wanted.size === 0 || (first !== undefined && isCurrent(first, endpoints, wanted))) continue;
    const mirror = { ...mirrorOf(endpoints, family, ports), endpoints: [...wanted.values()].slice(0, maxAddresses) };
    if (first === undefined) toCreate.push(mirror);
    else toUpdate.push(withoutGenerateName(inPlaceOf(first, mirror)));
  }
  return slicePlan(endpoints, slices, { toCreate, toUpdate, toDelete }, events);
}

function isMirrored(endpoints: Readonly<Endpoints>, { spec = {} }: Readonly<Service>): boolean {
  return mayBeMirrored(endpoints) && spec.selector === undefined;
}

/** Not those of the API server itself, nor an old form of leases. */
export function mayBeMirrored({ metadata }: Readonly<Endpoints>): boolean {
  const isLock = metadata.annotations?.['control-plane.alpha.kubernetes.io/leader'] !== undefined;
  return !isLock && metadata.labels?.['endpointslice.kubernetes.io/skip-mirror'] !== 'true';
}

interface Group {
  readonly family: IpFamily;
  readonly ports: EndpointPort[];
  /** By key. */
  readonly wanted: Map<string, Endpoint>;
}

function groupKey(family: string | undefined, ports: readonly Readonly<EndpointPort>[] | null | undefined): string {
  return `${family} ${portsKey(ports)}`;
}

function groupsOf(endpoints: Readonly<Endpoints>): { groups: Map<string, Group>; events: PlannedEvent[] } {
  const groups = new Map<string, Group>();
  let invalid = 0;
  let skipped = 0;
  for (const subset of repackSubsets(endpoints.subsets ?? [])) {
    const ports = inHashOrder((subset.ports ?? []).map(withName), 'discovery/v1');
    for (const family of ['IPv4', 'IPv6'] as const) {
      const key = groupKey(family, ports);
      if (!groups.has(key)) groups.set(key, { family, ports, wanted: new Map() });
    }
    let added = 0;
    for (const [address, ready] of addressesIn(subset)) {
      if (added >= maxAddresses) {
        skipped++;
        continue;
      }
      const { family, endpoint } = endpointOf(address, ready) ?? {};
      if (endpoint === undefined) {
        invalid++;
        continue;
      }
      added++;
      groups.get(groupKey(family, ports))?.wanted.set(endpointKey(endpoint), endpoint);
    }
  }
  return { groups, events: [...invalidEvent(endpoints, invalid), ...tooManyEvent(endpoints, skipped, invalid)] };
}

function* addressesIn({
  addresses = [],
  notReadyAddresses = [],
}: EndpointSubset): Generator<[EndpointAddress, boolean]> {
  for (const address of addresses) yield [address, true];
  for (const address of notReadyAddresses) yield [address, false];
}

/** Ports of a slice have a name, even if it is empty. */
function withName({ name = '', ...port }: EndpointPort): EndpointPort {
  return { name, ...port };
}

function endpointOf(
  { ip, hostname, nodeName, targetRef }: EndpointAddress,
  ready: boolean,
): { family: IpFamily; endpoint: Endpoint } | undefined {
  const parsed = parseIp(ip);
  if (parsed === undefined) return undefined;
  const endpoint = {
    addresses: [formatIp(parsed)],
    conditions: { ready },
    ...(hostname !== undefined && hostname !== '' && { hostname }),
    ...(targetRef && { targetRef }),
    ...(nodeName !== undefined && { nodeName }),
  };
  return { family: isV6(parsed) ? 'IPv6' : 'IPv4', endpoint };
}

function mirrorOf(
  endpoints: Readonly<Endpoints>,
  addressType: IpFamily,
  ports: readonly EndpointPort[],
): EndpointSlice {
  const labels = {
    ...endpoints.metadata.labels,
    [serviceNameLabel]: endpoints.metadata.name ?? '',
    [managedByLabel]: mirroringManager,
  };
  const slice = newSlice(networkKinds.endpoints, endpoints, { labels, addressType, ports });
  return { ...slice, metadata: { ...slice.metadata, annotations: mirroredAnnotations(endpoints) } };
}

function mirroredAnnotations(endpoints: Readonly<Endpoints>): Record<string, string> {
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...annotations } = annotationsWith(
    undefined,
    endpoints,
  );
  return annotations;
}

/** Kubernetes gives a mirror that it updates no `generateName`. */
function withoutGenerateName(slice: EndpointSlice): EndpointSlice {
  const { generateName: _, ...metadata } = slice.metadata;
  return { ...slice, metadata };
}

function isCurrent(
  slice: Readonly<EndpointSlice>,
  endpoints: Readonly<Endpoints>,
  wanted: ReadonlyMap<string, Endpoint>,
): boolean {
  const { labels = {}, annotations = {}, ownerReferences = [] } = slice.metadata;
  const { [serviceNameLabel]: _name, [managedByLabel]: _manager, ...others } = labels;
  const owner = ownerReferences.find(({ kind, name }) => kind === 'Endpoints' && name === endpoints.metadata.name);
  const existing = slice.endpoints ?? [];
  const isSame = (endpoint: Endpoint): boolean => {
    const match = wanted.get(endpointKey(endpoint));
    return match !== undefined && isSameState(match, endpoint);
  };
  return (
    existing.length === wanted.size &&
    existing.every(isSame) &&
    jsonEquals(others, endpoints.metadata.labels ?? {}) &&
    jsonEquals(annotations, mirroredAnnotations(endpoints)) &&
    (owner === undefined || owner.uid === endpoints.metadata.uid)
  );
}

function invalidEvent(about: Readonly<Endpoints>, count: number): PlannedEvent[] {
  if (count === 0) return [];
  const message = `Skipped ${count} invalid IP addresses when mirroring to EndpointSlices`;
  return [{ about, type: 'Warning', reason: 'InvalidIPAddress', message }];
}

function tooManyEvent(about: Readonly<Endpoints>, skipped: number, invalid: number): PlannedEvent[] {
  if (skipped === 0) return [];
  const message =
    `A max of ${maxAddresses} addresses can be mirrored to EndpointSlices per Endpoints subset. ` +
    `${skipped + invalid} addresses were skipped`;
  return [{ about, type: 'Warning', reason: 'TooManyAddressesToMirror', message }];
}
