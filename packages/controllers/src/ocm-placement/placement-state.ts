import type { ManagedCluster, OcmPlacement, OcmPlacementSpec, PlacementDecision } from '@flotilla/api';
import type { DecisionCounts, ScoreLookup } from '@flotilla/ocm';

/** The clusters in these PlacementDecisions. */
export function chosenIn(decisions: PlacementState['decisions']): ReadonlySet<string> {
  return new Set(decisions.flatMap(({ status }) => (status?.decisions ?? []).map(({ clusterName }) => clusterName)));
}

/** All that the decisions of one Placement depend on. */
export interface PlacementState {
  readonly placement: Readonly<OcmPlacement>;
  /** Its spec, as the same object until it changes. */
  readonly spec: Readonly<OcmPlacementSpec>;
  /** Names of the existing sets that its namespace is bound to. */
  readonly boundSets: readonly string[];
  /** Those of them that it selects from. */
  readonly eligibleSets: readonly string[];
  /** The clusters of these. */
  readonly clusters: readonly Readonly<ManagedCluster>[];
  /** Its PlacementDecisions, in the order of their names. */
  readonly decisions: readonly Readonly<PlacementDecision>[];
  readonly elsewhere: DecisionCounts;
  readonly scoreOf: ScoreLookup;
}
