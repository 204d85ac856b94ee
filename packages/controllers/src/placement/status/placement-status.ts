/** The status of a placement, from what the other stages have stored. */
import type { Binding, PerClusterStatus, Placement, PlacementStatus, PolicySnapshot } from '@flotilla/api';
import { formatTime } from '@flotilla/kube';
import { withPlacementDefaults } from '../../family/placement-defaults.ts';
import { clusterStatus, unmetStatus, type Rollout } from './cluster-status.ts';
import { expectedAspects } from './condition-texts.ts';
import { setExternalRollout } from './external-rollout.ts';
import { PlacementConditions, rolloutAspects } from './placement-conditions.ts';
import { scheduleOf, type Schedule } from './schedule.ts';
import { indexTextOf } from './snapshot-identifiers.ts';
import type { Contents, StatusState } from './status-state.ts';
import { trimStatus } from './trim-status.ts';

export function placementStatus(state: StatusState, now: Date): PlacementStatus {
  const conditions = new PlacementConditions(state.family, state.placement, now);
  return trimStatus(state.placement, wholeStatus(state, conditions, now), conditions);
}

function wholeStatus(state: StatusState, conditions: PlacementConditions, now: Date): PlacementStatus {
  const { placement, policySnapshot, bindings } = state;
  const rollout = rolloutOf(state, now);
  const schedule = scheduleOf(placement, policySnapshot);
  conditions.remove(['statusTrimmed']);
  conditions.set('scheduled', schedule.status, schedule.text);
  const contents: Contents = {
    observedResourceIndex: rollout.target === undefined || state.latest === undefined ? '' : indexTextOf(state.latest),
    selectedResources: state.selected,
  };
  if (schedule.status === 'Unknown') return statusOf(contents, [], conditions);

  const byCluster = bindingsByCluster(bindings, policySnapshot);
  const clusters = selectedClusters(schedule, placement, byCluster, rollout);
  const all = [...clusters, ...unmetSlots(schedule, placement, rollout)];
  const observed = setConditions(state, rollout, clusters, conditions);
  return statusOf({ ...contents, ...observed }, all, conditions);
}

/** Sets the conditions after Scheduled. Returns which resources the clusters have, if that is not what was selected. */
function setConditions(
  state: StatusState,
  { target, expected }: Rollout,
  clusters: readonly PerClusterStatus[],
  conditions: PlacementConditions,
): Contents | undefined {
  if (clusters.length === 0) {
    conditions.remove(rolloutAspects);
    return undefined;
  }
  if (target !== undefined) {
    conditions.setRollout(expected, clusters);
    return undefined;
  }
  return setExternalRollout(state, expected, clusters, conditions);
}

function rolloutOf({ placement, latest, snapshots = [] }: StatusState, now: Date): Rollout {
  const { type, applyStrategy } = withPlacementDefaults(placement.spec).strategy;
  const shared = {
    generation: placement.metadata.generation ?? 0,
    now: formatTime(now),
    expected: expectedAspects(applyStrategy.type),
  };
  if (type === 'External') {
    const indexes = new Map(snapshots.map((snapshot) => [snapshot.metadata.name, indexTextOf(snapshot)]));
    return { ...shared, target: undefined, indexFor: ({ spec }) => indexes.get(spec.resourceSnapshotName) ?? '' };
  }
  const index = latest === undefined ? '' : indexTextOf(latest);
  return { ...shared, target: { snapshotName: latest?.metadata.name, applyStrategy }, indexFor: () => index };
}

/** The bindings of the latest policy that are not being deleted. */
function bindingsByCluster(
  bindings: readonly Readonly<Binding>[],
  policySnapshot: Readonly<PolicySnapshot> | undefined,
): ReadonlyMap<string, Readonly<Binding>> {
  const byCluster = new Map<string, Readonly<Binding>>();
  for (const binding of bindings) {
    const { metadata, spec } = binding;
    const isLive = metadata.deletionTimestamp === undefined && spec.targetCluster !== '';
    if (!isLive || spec.schedulingPolicySnapshotName !== policySnapshot?.metadata.name) continue;
    const other = byCluster.get(spec.targetCluster);
    // Two are a mistake of the scheduler; one that stays says more than one that goes.
    if (other === undefined || other.spec.state === 'Unscheduled') byCluster.set(spec.targetCluster, binding);
  }
  return byCluster;
}

function selectedClusters(
  { selected }: Schedule,
  { status }: Readonly<Placement>,
  byCluster: ReadonlyMap<string, Readonly<Binding>>,
  rollout: Rollout,
): PerClusterStatus[] {
  const before = new Map((status?.placementStatuses ?? []).map((one) => [one.clusterName, one]));
  return selected.map((decision) => {
    const { clusterName } = decision;
    return clusterStatus(decision, byCluster.get(clusterName), before.get(clusterName), rollout);
  });
}

function unmetSlots({ unmet }: Schedule, { status }: Readonly<Placement>, rollout: Rollout): PerClusterStatus[] {
  if (unmet.length === 0) return [];
  const before = (status?.placementStatuses ?? []).filter(({ clusterName }) => clusterName === undefined);
  return unmet.map((decision, index) => unmetStatus(decision, before[index], rollout));
}

function statusOf(
  { observedResourceIndex, selectedResources }: Contents,
  clusters: PerClusterStatus[],
  conditions: PlacementConditions,
): PlacementStatus {
  return {
    ...(observedResourceIndex !== '' && { observedResourceIndex }),
    ...(selectedResources.length > 0 && { selectedResources: [...selectedResources] }),
    ...(clusters.length > 0 && { placementStatuses: clusters }),
    conditions: conditions.list,
  };
}
