/** For tests: a placement of either family that is Available on its clusters, and what its status is made from. */
import {
  bindingConditions,
  latestLabel,
  placementLabel,
  policySnapshotConditions,
  resourceHashAnnotation,
  resourceIndexLabel,
  type Binding,
  type BindingSpec,
  type BindingStatus,
  type ClusterDecision,
  type Condition,
  type Placement,
  type PlacementFamily,
  type PlacementSpec,
  type PlacementStatus,
  type PolicySnapshot,
  type PolicySnapshotStatus,
  type ResourceSelector,
  type ResourceSnapshot,
} from '@flotilla/api';
import { apiVersionOf, type Kind, type ObjectMeta } from '@flotilla/kube';
import { defaultApplyStrategy } from '../../family/placement-defaults.ts';
import type { StatusState } from './status-state.ts';

export const now = new Date('2026-01-01T12:00:00Z');
export const nowText = '2026-01-01T12:00:00Z';
export const earlier = '2026-01-01T11:00:00Z';

type BindingCondition = (typeof bindingConditions)[keyof typeof bindingConditions];

/** The placement's generation. */
const generation = 3;
/** The bindings' generation. */
const bindingGeneration = 5;

function objectOf(kind: Kind, name: string, metadata: ObjectMeta) {
  const namespace = kind.namespaced ? 'team' : undefined;
  const where = { ...(namespace !== undefined && { namespace }), name };
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { ...where, uid: `uid-${name}`, ...metadata } };
}

export function aPlacement(
  family: PlacementFamily,
  spec: Partial<PlacementSpec> = {},
  status?: Placement['status'],
): Placement {
  return {
    ...objectOf(family.placement, 'web', { generation, resourceVersion: '7' }),
    spec: {
      resourceSelectors: [aNamespaceSelector('web')],
      revisionHistoryLimit: 10,
      statusReportingScope: 'ClusterScopeOnly',
      ...spec,
    },
    ...(status && { status }),
  };
}

export function aNamespaceSelector(name: string): ResourceSelector {
  return { group: '', version: 'v1', kind: 'Namespace', name, selectionScope: 'NamespaceWithResources' };
}

export function aDecision(clusterName: string, selected = true): ClusterDecision {
  return { clusterName, selected, reason: selected ? `picked ${clusterName}` : `no room on ${clusterName}` };
}

export function aPolicySnapshot(
  family: PlacementFamily,
  targetClusters: ClusterDecision[],
  { conditions, ...status }: Partial<PolicySnapshotStatus> = {},
): PolicySnapshot {
  return {
    ...objectOf(family.policySnapshot, 'web-1', { generation: 1 }),
    spec: { policyHash: '' },
    status: {
      observedCRPGeneration: generation,
      targetClusters,
      conditions: conditions ?? [aScheduled('True')],
      ...status,
    },
  };
}

export function aScheduled(status: Condition['status'], observedGeneration = 1): Condition {
  const isFulfilled = status === 'True';
  return {
    type: policySnapshotConditions.scheduled,
    status,
    observedGeneration,
    lastTransitionTime: earlier,
    reason: isFulfilled ? 'SchedulingPolicyFulfilled' : 'SchedulingPolicyUnfulfilled',
    message: isFulfilled ? 'found all cluster needed' : 'could not find all clusters needed',
  };
}

export function aResourceSnapshot(family: PlacementFamily, index: string, resources: string[] = []): ResourceSnapshot {
  const labels = { [placementLabel]: 'web', [latestLabel]: 'true', [resourceIndexLabel]: index };
  const annotations = { [resourceHashAnnotation]: 'hash' };
  return {
    ...objectOf(family.resourceSnapshot, `web-${index}-snapshot`, { labels, annotations }),
    spec: { selectedResources: resources.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })) },
  };
}

/** The status of each condition, in the order of the rollout; absent ones are unknown. */
export type Progress = Partial<Record<BindingCondition, Condition['status']>>;

export const available: Progress = {
  RolloutStarted: 'True',
  Overridden: 'True',
  WorkSynchronized: 'True',
  Applied: 'True',
  Available: 'True',
};

export function aBinding(
  family: PlacementFamily,
  cluster: string,
  progress: Progress,
  { spec = {}, status = {}, metadata = {}, observedGeneration = bindingGeneration }: BindingChanges = {},
): Binding {
  const labels = { [placementLabel]: 'web' };
  return {
    ...objectOf(family.binding, `web-${cluster}`, { generation: bindingGeneration, labels, ...metadata }),
    spec: {
      state: 'Bound',
      resourceSnapshotName: 'web-4-snapshot',
      schedulingPolicySnapshotName: 'web-1',
      targetCluster: cluster,
      clusterDecision: aDecision(cluster),
      ...spec,
    },
    status: {
      conditions: Object.entries(progress).map(([type, is]) => ({
        type,
        status: is,
        observedGeneration,
        lastTransitionTime: earlier,
        reason: `${type}Is${is}`,
        message: `${type} is ${is} on ${cluster}`,
      })),
      ...status,
    },
  };
}

interface BindingChanges {
  readonly spec?: Partial<BindingSpec>;
  readonly status?: Partial<BindingStatus>;
  readonly metadata?: ObjectMeta;
  readonly observedGeneration?: number;
}

/** A placement that is Available on these clusters, with the changes of the test. */
export function aState(
  family: PlacementFamily,
  clusters: readonly string[] = ['sea', 'sky'],
  changes: Partial<StatusState> = {},
): StatusState {
  return {
    family,
    placement: aPlacement(family),
    policySnapshot: aPolicySnapshot(
      family,
      clusters.map((cluster) => aDecision(cluster)),
    ),
    bindings: clusters.map((cluster) => aBinding(family, cluster, available)),
    latest: aResourceSnapshot(family, '4'),
    selected: [{ version: 'v1', kind: 'Namespace', name: 'web' }],
    ...changes,
  };
}

/** `Applied=False ApplyFailed: Failed to …`, without the kind of the placement. */
export function textsOf(conditions: readonly Condition[] | undefined): string[] {
  return (conditions ?? []).map(
    ({ type, status, reason, message }) =>
      `${type.replace(/^(Cluster)?ResourcePlacement/, '')}=${status} ${reason}: ${message}`,
  );
}

export const reportDiff: Partial<PlacementSpec> = {
  strategy: { type: 'RollingUpdate', applyStrategy: { ...defaultApplyStrategy, type: 'ReportDiff' } },
};

/** The status, as if it had been written earlier. */
export function dated(status: PlacementStatus): PlacementStatus {
  return JSON.parse(JSON.stringify(status).replaceAll(nowText, earlier)) as PlacementStatus;
}
