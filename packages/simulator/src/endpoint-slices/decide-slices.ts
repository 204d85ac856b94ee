import { jsonEquals } from '@flotilla/kube';
import type { Plan, PlannedEvent } from '@flotilla/runtime';
import type { Node, Pod } from '../kinds.ts';
import type { EndpointSlice, Service } from '../network-kinds.ts';
import { isReady } from '../pods/pod-state.ts';
import { hasEndpoint, type IpFamily } from '../services/pod-endpoint.ts';
import { annotationsWith, triggerTime } from '../services/trigger-time.ts';
import { endpointKey, portsKey } from './endpoint-identity.ts';
import { hasOtherHints } from './hints.ts';
import { packEndpoints, type PackedSlice } from './pack-endpoints.ts';
import { inheritedLabels, newServiceSlice, sliceLabels } from './service-slice.ts';
import { slicePlan, type SliceChanges } from './slice-changes.ts';
import { familiesOf, wantedEndpoints, type FamilyEndpoints } from './wanted-endpoints.ts';

/** A Service with a selector, and all that its slices depend on. */
export interface SelectedEndpoints {
  readonly service: Readonly<Service>;
  readonly pods: readonly Readonly<Pod>[];
  /** Those that this controller manages. */
  readonly slices: readonly Readonly<EndpointSlice>[];
  /** By name. */
  readonly nodes: ReadonlyMap<string, Readonly<Node>>;
}

/** Keeps the endpoints of the Service's pods in slices: one group of slices for each family of addresses and list of ports. */
export function decideSlices({ service, pods, slices, nodes }: SelectedEndpoints): Plan {
  const families = familiesOf(service);
  const isPlaced = ({ spec }: Readonly<Pod>): boolean =>
    service.spec?.publishNotReadyAddresses === true || nodes.has(spec?.nodeName ?? '');
  const reachable = pods.filter((pod) => hasEndpoint(pod, { evenTerminating: true }));
  const groups = families.map((family) => wantedEndpoints(service, family, reachable.filter(isPlaced), nodes));
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

/** Pods that are new in the slices, or whose readiness changed since the slices were written. */
function changedPods(
  { pods, slices }: Pick<SelectedEndpoints, 'pods' | 'slices'>,
  families: readonly FamilyEndpoints[],
): Readonly<Pod>[] {
  const wasServing = new Map<string | undefined, boolean | undefined>();
  for (const { targetRef, conditions } of slices.flatMap(({ endpoints }) => endpoints ?? [])) {
    wasServing.set(targetRef?.name, conditions?.serving);
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
  { family, groups }: FamilyEndpoints,
  existing: readonly Readonly<EndpointSlice>[],
): SliceChanges {
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
        toCreate.push({ ...newServiceSlice(service, family, ports), endpoints });
      } else if (packed.isChanged && endpoints.length === 0) {
        toDelete.push(before);
      } else if (packed.isChanged || isOutdated(before, packed, service)) {
        toUpdate.push({ ...before, metadata: { ...before.metadata, labels: sliceLabels(service) }, endpoints });
      }
    }
  }
  return withPlaceholder(newServiceSlice(service, family, []), existing, { toCreate, toUpdate, toDelete });
}

function isOutdated(before: Readonly<EndpointSlice>, { endpoints }: PackedSlice, service: Readonly<Service>): boolean {
  const hasLabels = jsonEquals(inheritedLabels(before.metadata.labels), inheritedLabels(service.metadata.labels));
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

function withAnnotations(slice: EndpointSlice, annotations: Record<string, string>): EndpointSlice {
  return { ...slice, metadata: { ...slice.metadata, annotations } };
}

/** Of an event. */
const maxMessageLength = 1024;

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
    message: `Error updating Endpoint Slices for Service ${namespace}/${name}: ${causes}`.slice(0, maxMessageLength),
  };
}
