import {
  addOnPlacementScores,
  managedClusters,
  managedClusterSetBindings,
  managedClusterSets,
  ocmPlacements,
  placementDecisions,
  type OcmPlacement,
  type OcmPlacementSpec,
} from '@flotilla/api';
import { keyText, type ObjectKey } from '@flotilla/kube';
import { eligibleSets, PlacementScheduler } from '@flotilla/ocm';
import type { Cache, Watched } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { debugReport, type DebugReport } from './debug-report.ts';
import { byOcmPlacement, DecisionLedger, decisionsOf, placementOfDecision } from './decision-ledger.ts';
import { allObjects, ManagedFleet } from './managed-fleet.ts';
import { OwnChanges } from './own-changes.ts';
import { byDependency } from './placement-dependencies.ts';
import { chosenIn, type PlacementState } from './placement-state.ts';
import {
  bySetName,
  isDisabled,
  placementItself,
  placementsOfBinding,
  placementsOfCluster,
  placementsOfScore,
  placementsOfSet,
} from './wake-ups.ts';

/** Clusters often change together: when they join, or when the hub has been away. */
const collectChangesMs = 100;

/** What the stage keeps between decisions. All of it can be read again. */
export class PlacementView {
  readonly own = new OwnChanges();
  readonly #fleet = new ManagedFleet();
  readonly #ledger = new DecisionLedger();
  /** By Placement, with its uid and generation. */
  readonly #specs = new Map<string, { readonly version: string; readonly spec: Readonly<OcmPlacementSpec> }>();
  readonly #debugging = new PlacementScheduler();
  readonly #clock: Pick<Clock, 'now'>;
  #isRunning = false;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  watches(): readonly Watched[] {
    const fleet = this.#fleet;
    const ofCluster = placementsOfCluster(fleet);
    const ofScore = placementsOfScore(fleet, (cache, name) => cache.get(managedClusters, { name }));
    const afterMs = (): number => collectChangesMs;
    return [
      {
        kind: ocmPlacements,
        indexes: byDependency,
        concerns: (now, old, cache) => {
          if (now === undefined) this.#specs.delete(textOf(old));
          return this.own.isOwn(ocmPlacements, now, old) ? [] : placementItself(now, old, cache);
        },
      },
      {
        kind: placementDecisions,
        indexes: byOcmPlacement,
        concerns: (now, old) => {
          this.#ledger.changed(now, old);
          if (this.own.isOwn(placementDecisions, now, old)) return [];
          const keys = [now, old].map((object) => object && placementOfDecision(object));
          return keys.filter((key) => key !== undefined);
        },
      },
      { kind: managedClusterSetBindings, indexes: bySetName, concerns: placementsOfBinding },
      {
        kind: managedClusterSets,
        indexes: allObjects,
        afterMs,
        concerns: (now, old, cache) => {
          fleet.setChanged(now, old);
          return this.#isRunning ? placementsOfSet(now, old, cache) : [];
        },
      },
      {
        kind: managedClusters,
        indexes: allObjects,
        afterMs,
        concerns: (now, old, cache) => {
          fleet.clusterChanged(now, old);
          // Before the first reconcile, every Placement is queued already.
          return this.#isRunning ? ofCluster(now, old, cache) : [];
        },
      },
      {
        kind: addOnPlacementScores,
        afterMs,
        concerns: (now, old, cache) => (this.#isRunning ? ofScore(now, old, cache) : []),
      },
    ];
  }

  observe(key: ObjectKey, cache: Cache): PlacementState | undefined {
    this.#isRunning = true;
    const placement = cache.get(ocmPlacements, key);
    if (placement === undefined || placement.metadata.deletionTimestamp !== undefined || isDisabled(placement)) {
      return undefined;
    }
    return this.#stateOf(key, placement, this.#specOf(key, placement), cache);
  }

  /** What a Placement would select now; it need not be stored. Undefined if that takes more than a turn. */
  explain(placement: Readonly<OcmPlacement>, cache: Cache): DebugReport | undefined {
    const { namespace, name = '' } = placement.metadata;
    const state = this.#stateOf({ namespace, name }, placement, placement.spec, cache);
    const chosen = chosenIn(state.decisions);
    // A scheduler of its own: its times are no metrics.
    const outcome = this.#debugging.schedule({ ...state, chosen, now: new Date(this.#clock.now()) });
    const names = state.clusters.map(({ metadata }) => metadata.name ?? '');
    return outcome && debugReport(placement, outcome, names);
  }

  #stateOf(
    key: ObjectKey,
    placement: Readonly<OcmPlacement>,
    spec: Readonly<OcmPlacementSpec>,
    cache: Cache,
  ): PlacementState {
    this.#fleet.check(cache);
    this.#ledger.check(cache);
    const bindings = cache.list(managedClusterSetBindings, { namespace: key.namespace });
    const boundSets = bindings.map(({ metadata }) => metadata.name ?? '').filter((name) => this.#fleet.hasSet(name));
    const eligible = eligibleSets(spec, boundSets);
    return {
      placement,
      spec,
      boundSets,
      eligibleSets: eligible,
      clusters: this.#fleet.clustersOf(eligible),
      decisions: decisionsOf(cache, key),
      elsewhere: this.#ledger.elsewhere(key),
      scoreOf: (cluster, name) => cache.get(addOnPlacementScores, { namespace: cluster, name }),
    };
  }

  /** The same object as long as the spec is the same: the scheduler prepares it once. */
  #specOf(key: ObjectKey, placement: Readonly<OcmPlacement>): Readonly<OcmPlacementSpec> {
    const version = `${placement.metadata.uid}/${placement.metadata.generation}`;
    const known = this.#specs.get(keyText(key));
    if (known?.version === version) return known.spec;
    this.#specs.set(keyText(key), { version, spec: placement.spec });
    return placement.spec;
  }
}

function textOf(
  object: { readonly metadata: { readonly namespace?: string; readonly name?: string } } | undefined,
): string {
  const { namespace, name = '' } = object?.metadata ?? {};
  return keyText({ namespace, name });
}
