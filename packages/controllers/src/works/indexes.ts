/** How the works controllers find the objects that a change concerns, without a scan of all bindings or Works. */
import {
  abandoningAgentMessage,
  agentConditions,
  agentTypes,
  conditionOf,
  memberClusters,
  resourceIndexLabel,
  works,
  type Binding,
  type MemberCluster,
  type Placement,
  type PlacementFamily,
  type ReportBackStrategy,
  type ResourceSnapshot,
  type Work,
} from '@flotilla/api';
import { keyText, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { ofLabels, type Cache, type Indexes } from '@flotilla/runtime';
import { byPlacement, placementOf } from '../family/placement-key.ts';
import { own } from './wanted-work.ts';
import { baseNameOf, bindingOf } from './work-names.ts';
import type { WorksState } from './works-state.ts';

const byCluster = 'target-cluster';
const byWorkNames = 'work-names';
const byOverride = 'override-snapshots';
const bySnapshot = 'resource-snapshot';
const byBinding = 'binding';
const byGroup = 'resource-group';
const byName = 'name';
const byReportBack = 'report-back';
const byOurAgent = 'our-agent';

export const bindingIndexes: Indexes = {
  ...byPlacement,
  [byCluster]: (object) => [(object as Binding).spec.targetCluster],
  [byWorkNames]: (object) => workNamesText(object as Binding),
  [bySnapshot]: (object) => {
    const { metadata, spec } = object as Binding;
    return [keyText({ namespace: metadata.namespace, name: spec.resourceSnapshotName })];
  },
  [byOverride]: ({ spec }) => overrideTexts((spec as Binding['spec']) ?? {}),
};

export const workIndexes: Indexes = {
  [byBinding]: ofLabels((work) => {
    const key = bindingOf(work);
    return key === undefined ? [] : [keyText(key)];
  }),
};

export const snapshotIndexes: Indexes = {
  [byGroup]: groupText,
};

export const clusterIndexes: Indexes = {
  [byName]: ({ metadata: { name = '' } }) => [name],
  [byOurAgent]: (cluster) => (saysOurAgent(cluster as MemberCluster) ? [cluster.metadata.name ?? ''] : []),
};

/** Only our agent knows the annotation for abandoned Works, and only it says so. */
function saysOurAgent({ status }: MemberCluster): boolean {
  const agent = status?.agentStatus?.find(({ type }) => type === agentTypes.member);
  return conditionOf(agent?.conditions, agentConditions.joined)?.message === abandoningAgentMessage;
}

/** All that Works need of a placement, which may be large: whether it exists, and how it wants statuses back. */
export const placementIndexes: Indexes = {
  [byReportBack]: (object) => {
    const { metadata, spec } = object as Placement;
    const key = keyText({ namespace: metadata.namespace, name: metadata.name ?? '' });
    const { type, destination = '' } = spec.strategy?.reportBackStrategy ?? {};
    return type === 'Mirror' ? [key, `${key} ${destination}`] : [key];
  },
};

/** Undefined if there is no such placement. */
export function reportBackOf(cache: Cache, kind: Kind<Placement>, placement: ObjectKey): WorksState['reportBack'] {
  const key = keyText(placement);
  if (cache.count(kind, byReportBack, key) === 0) return undefined;
  const strategy = mirrors.find(({ destination = '' }) => cache.count(kind, byReportBack, `${key} ${destination}`) > 0);
  return { strategy };
}

const mirrors: readonly ReportBackStrategy[] = [
  { type: 'Mirror', destination: 'WorkAPI' },
  { type: 'Mirror', destination: 'OriginalResource' },
  { type: 'Mirror' },
];

/** A member without spec and status. */
export function clusterMetadata(cache: Cache, name: string): Readonly<KubeObject> | undefined {
  return cache.indexedMetadata(memberClusters, byName, name)[0];
}

export function hasOurAgent(cache: Cache, cluster: string): boolean {
  return cache.count(memberClusters, byOurAgent, cluster) > 0;
}

export function worksOf(cache: Cache, binding: ObjectKey): readonly Readonly<Work>[] {
  return cache.indexed(works, byBinding, keyText(binding));
}

/** The snapshots with the placement and the index of this one, in the order of their names. */
export function groupMembers(
  cache: Cache,
  kind: Kind<ResourceSnapshot>,
  snapshot: Readonly<ResourceSnapshot>,
): readonly Readonly<ResourceSnapshot>[] {
  return groupText(snapshot).flatMap((text) => cache.indexed(kind, byGroup, text));
}

/** The bindings that name this snapshot, or another one of its group. Snapshots may be large, so none is parsed. */
export function bindingsWithSnapshot(
  cache: Cache,
  { binding, resourceSnapshot }: PlacementFamily,
  snapshot: Readonly<KubeObject>,
): readonly Readonly<Binding>[] {
  const group = groupText(snapshot).flatMap((text) => cache.indexedMetadata(resourceSnapshot, byGroup, text));
  return group.flatMap(({ metadata: { namespace, name = '' } }) =>
    cache.indexed(binding, bySnapshot, keyText({ namespace, name })),
  );
}

export function bindingsOfCluster(cache: Cache, kind: Kind<Binding>, cluster: string): readonly Readonly<Binding>[] {
  return cache.indexed(kind, byCluster, cluster);
}

/** The bindings whose Works have the same names in the namespace of this cluster. */
export function bindingsWithWorkNames(
  cache: Cache,
  kind: Kind<Binding>,
  cluster: string,
  placement: ObjectKey,
): readonly Readonly<Binding>[] {
  return cache.indexed(kind, byWorkNames, `${cluster}/${baseNameOf(placement)}`);
}

export function bindingsWithOverride(
  cache: Cache,
  kind: Kind<Binding>,
  { metadata: { namespace, name = '' } }: Readonly<KubeObject>,
): readonly Readonly<Binding>[] {
  return cache.indexed(kind, byOverride, keyText({ namespace, name }));
}

function workNamesText(binding: Binding): string[] {
  const placement = placementOf(binding);
  return placement === undefined ? [] : [`${binding.spec.targetCluster}/${baseNameOf(placement)}`];
}

function overrideTexts({
  clusterResourceOverrideSnapshots = [],
  resourceOverrideSnapshots = [],
}: Partial<Binding['spec']>): string[] {
  return [...clusterResourceOverrideSnapshots, ...resourceOverrideSnapshots.map(keyText)];
}

function groupText(snapshot: Readonly<KubeObject>): string[] {
  const placement = placementOf(snapshot);
  const index = own(snapshot.metadata.labels ?? {}, resourceIndexLabel);
  return placement === undefined || index === undefined ? [] : [`${keyText(placement)} ${index}`];
}
