import type { PlacementFamily } from '@flotilla/api';
import { once, type ObjectKey } from '@flotilla/kube';
import type { Cache, Controller, Watched } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { byPlacement, itsPlacement, metadataOfPlacement, ofPlacement } from '../family/placement-key.ts';
import { decidePlacement } from './decide.ts';
import type { PlacementState, SnapshotSettings } from './placement-state.ts';
import type { Selections } from './selection/selection.ts';
import { bindingIndexes, isReported, StatusDelay } from './status-delay.ts';

/** Names of KubeFleet's controllers, by family. */
const names = { Cluster: 'cluster-resource-placement-controller-v1beta1', Namespaced: 'resource-placement-controller' };

/** A reconcile waits for several writes in a row; placements that are created together should not wait for each other. */
const workers = 16;

export interface PlacementDependencies {
  readonly selections: Selections;
  readonly settings: SnapshotSettings;
  readonly clock: Clock;
}

/** Keeps snapshots of what a placement selects and of its policy, and its status. */
export function placementController(
  family: PlacementFamily,
  { selections, settings, clock }: PlacementDependencies,
): Controller<PlacementState> {
  const { placement, policySnapshot, resourceSnapshot, binding } = family;
  const delay = new StatusDelay(binding, clock);
  const snapshot = { concerns: itsPlacement, indexes: byPlacement, keepsMetadata: true };
  return {
    name: names[family.scope],
    eventSource: 'placement-controller',
    metricsPrefix: 'fleet_workload',
    workers,
    watches: [
      { kind: placement, concerns: itselfUnlessStatus },
      { kind: policySnapshot, ...snapshot, afterMs: delay.ofPolicySnapshot },
      { kind: resourceSnapshot, ...snapshot, afterMs: delay.ofResourceSnapshot },
      { kind: binding, concerns: itsPlacementIfReported, indexes: bindingIndexes, afterMs: delay.ofBinding },
    ],
    sources: [selections.source(family)],
    observe: (key, cache) => observePlacement(family, selections, key, cache),
    decide: (state, now) => decidePlacement(state, settings, now),
  };
}

/** What a decision about the placement depends on; undefined if it does not exist. */
export function observePlacement(
  family: PlacementFamily,
  selections: Selections,
  key: ObjectKey,
  cache: Cache,
): PlacementState | undefined {
  const { policySnapshot, resourceSnapshot, binding } = family;
  const placement = cache.get(family.placement, key);
  const isGoing = placement?.metadata.deletionTimestamp !== undefined;
  if (placement === undefined || isGoing) selections.forget(key);
  if (placement === undefined) return undefined;
  const { namespace } = key;
  // Update runs hardly ever need them.
  const bindings = once(() => (isGoing ? [] : ofPlacement(cache, binding, key)));
  return {
    family,
    placement,
    policySnapshots: metadataOfPlacement(cache, policySnapshot, key),
    resourceSnapshots: metadataOfPlacement(cache, resourceSnapshot, key),
    get bindings() {
      return bindings();
    },
    selection: isGoing ? { pending: 'the placement is being deleted' } : selections.current(placement),
    policySnapshot: (name) => cache.get(policySnapshot, { namespace, name }),
    resourceSnapshot: (name) => cache.get(resourceSnapshot, { namespace, name }),
    isTaken: (kind, name) => cache.get(kind, { namespace, name }) !== undefined,
  };
}

/** Ignores changes of the status: only this controller writes it. */
const itselfUnlessStatus: Watched['concerns'] = (now, old) => {
  const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
  const isRelevant =
    now === undefined ||
    old === undefined ||
    now.metadata.uid !== old.metadata.uid ||
    now.metadata.generation !== old.metadata.generation ||
    now.metadata.finalizers?.join() !== old.metadata.finalizers?.join() ||
    now.metadata.deletionTimestamp !== old.metadata.deletionTimestamp;
  return isRelevant ? [{ namespace, name }] : [];
};

const itsPlacementIfReported: Watched['concerns'] = (now, old, cache) =>
  isReported(now, old) ? itsPlacement(now, old, cache) : [];
