import { placementFinalizer, schedulerFinalizer, type PlacedResource, type PlacementStatus } from '@flotilla/api';
import type { Kind, KubeObject } from '@flotilla/kube';
import type { Plan, Write } from '@flotilla/runtime';
import { groupOf, latestMasterOf, latestPolicySnapshotOf } from '../family/latest-snapshot.ts';
import { isOfAnother } from '../family/owner.ts';
import { withPlacementDefaults } from '../family/placement-defaults.ts';
import { decideDeletion } from './deletion.ts';
import type { PlacementState, SnapshotSettings } from './placement-state.ts';
import { policySnapshotSteps } from './policy-snapshot.ts';
import { planResourceSnapshots } from './resource-snapshots.ts';
import { isSelected, type SelectedResources } from './selection/selection.ts';
import { historyDeletions } from './snapshot-history.ts';
import { deletionsOf, isBeingDeleted, nameOf } from './snapshot-objects.ts';
import { namespaceProblem, withInvalidSelectors, withUnusableNamespace } from './status/invalid-selectors.ts';
import { placementStatus } from './status/placement-status.ts';
import { planStatus } from './status/plan-status.ts';
import { identifiersIn } from './status/snapshot-identifiers.ts';
import { unplaceable } from './unplaceable.ts';

/** The snapshots of a placement, and its status. */
export function decidePlacement(state: PlacementState, settings: SnapshotSettings, now: Date): Plan {
  if (isBeingDeleted(state.placement)) return decideDeletion(state);
  const stale = staleSnapshots(state);
  if (stale !== undefined) return { steps: [stale] };
  return withFinalizers(state, settings, decideContent(state, settings, now));
}

function decideContent(state: PlacementState, settings: SnapshotSettings, now: Date): Plan {
  const { family, placement, selection } = state;
  const namespaceError = namespaceProblem(family, placement);
  if (namespaceError !== undefined) {
    return statusPlan(state, withUnusableNamespace(family, placement, namespaceError, now));
  }
  if (isSelected(selection)) return decideSelected(state, selection, settings, now);
  if ('pending' in selection) return { steps: [] };
  return statusPlan(state, withInvalidSelectors(family, placement, selection.problem, now));
}

/**
 * The snapshots of an earlier placement of the same name, which must go before this one gets its own: other stages find snapshots by
 * the name of their placement. Undefined if there are none.
 */
function staleSnapshots(state: PlacementState): readonly Write[] | undefined {
  const { family, placement, policySnapshots, resourceSnapshots } = state;
  const { uid = '' } = placement.metadata;
  const isStale = (snapshot: Readonly<KubeObject>): boolean => isOfAnother(snapshot, uid);
  const policies = policySnapshots.filter(isStale);
  const resources = resourceSnapshots.filter(isStale);
  if (policies.length + resources.length === 0) return undefined;
  return [...deletionsOf(family.policySnapshot, policies), ...deletionsOf(family.resourceSnapshot, resources)];
}

/** The finalizer must be there before anything is created that it cleans up. That of the scheduler comes with it, which saves a write. */
function withFinalizers({ family, placement }: PlacementState, settings: SnapshotSettings, plan: Plan): Plan {
  const { namespace, finalizers = [], resourceVersion = '' } = placement.metadata;
  if (finalizers.includes(placementFinalizer)) return plan;
  const ours = settings.isWithScheduling ? [placementFinalizer, schedulerFinalizer] : [placementFinalizer];
  const patch = { metadata: { resourceVersion, finalizers: [...new Set([...finalizers, ...ours])] } };
  const key = { namespace, name: nameOf(placement) };
  return { ...plan, steps: [[{ verb: 'patch', kind: family.placement, key, patch }], ...plan.steps] };
}

function decideSelected(
  state: PlacementState,
  selection: SelectedResources,
  settings: SnapshotSettings,
  now: Date,
): Plan {
  const { family, placement } = state;
  const problem = unplaceable(nameOf(placement), selection);
  if (problem !== undefined) return statusPlan(state, withInvalidSelectors(family, placement, problem, now));
  const isExternal = withPlacementDefaults(placement.spec).strategy.type === 'External';
  // Update runs make the snapshots of an external rollout.
  const resources = isExternal ? { steps: [] } : planResourceSnapshots(state, selection, settings, now);
  // An object has changed since it was selected. The next selection requeues the placement.
  if (resources === undefined) return { steps: [] };
  const { requeueAfterMs, isDelayed = false } = resources;
  const requeue = requeueAfterMs === undefined ? {} : { requeueAfterMs };
  const steps = together(resources.steps, policySnapshotSteps(state));
  if (steps.length > 0) return { steps: [...steps, ...historyAfter(state, steps, resources)], ...requeue };
  const selected = isDelayed ? resourcesOf(state, latestMasterOf(state.resourceSnapshots)) : selection.identifiers;
  const plan = statusPlan(state, currentStatus(state, selected, now));
  return { ...plan, ...requeue, steps: [...plan.steps, historyDeletions(state)] };
}

/**
 * The status follows when the scheduler has seen new snapshots, or a moment later without it: see status-delay.ts. In a busy fleet that takes
 * seconds, and there would be more snapshots than the limit says. So older ones go with the plan that completes newer ones.
 */
function historyAfter(state: PlacementState, steps: Plan['steps'], { requeueAfterMs }: Plan): Plan['steps'] {
  if (requeueAfterMs !== undefined) return [];
  const deletions = historyDeletions(withCreated(state, steps));
  return deletions.length > 0 ? [deletions] : [];
}

/** The state after these steps, as far as they create snapshots. */
function withCreated(state: PlacementState, steps: Plan['steps']): PlacementState {
  const { family, policySnapshots, resourceSnapshots } = state;
  const createdOf = (wanted: Kind): KubeObject[] =>
    steps.flat().flatMap((write) => (write.verb === 'create' && write.kind === wanted ? [write.object] : []));
  return {
    ...state,
    policySnapshots: [...policySnapshots, ...createdOf(family.policySnapshot)],
    resourceSnapshots: [...resourceSnapshots, ...createdOf(family.resourceSnapshot)],
  };
}

function currentStatus(state: PlacementState, selected: readonly PlacedResource[], now: Date): PlacementStatus {
  const { family, placement, policySnapshots, resourceSnapshots, bindings } = state;
  const latest = latestPolicySnapshotOf(policySnapshots);
  return placementStatus(
    {
      family,
      placement,
      policySnapshot: latest && state.policySnapshot(nameOf(latest)),
      bindings,
      latest: latestMasterOf(resourceSnapshots),
      selected,
      snapshots: resourceSnapshots,
      resourcesIn: (master) => resourcesOf(state, master),
    },
    now,
  );
}

/** Resources and policy at the same time: the scheduler can bind clusters at once if it finds both. */
function together(...plans: readonly (readonly (readonly Write[])[])[]): (readonly Write[])[] {
  const filled = plans.map((steps) => steps.filter((step) => step.length > 0));
  const length = Math.max(...filled.map((steps) => steps.length));
  return Array.from({ length }, (_, at) => filled.flatMap((steps) => steps[at] ?? []));
}

/** The resources in the group of this snapshot. */
function resourcesOf(state: PlacementState, master: Readonly<KubeObject> | undefined): readonly PlacedResource[] {
  if (master === undefined) return [];
  const group = groupOf(master, state.resourceSnapshots);
  return identifiersIn(group.flatMap((snapshot) => state.resourceSnapshot(nameOf(snapshot)) ?? []));
}

function statusPlan({ family, placement }: PlacementState, status: PlacementStatus): Plan {
  return planStatus({ family, placement, status });
}
