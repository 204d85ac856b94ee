/** The PlacementDecisions that a Placement should have. */
import {
  decisionGroupIndexLabel,
  decisionGroupNameLabel,
  ocmPlacementLabel,
  type DecisionGroupStatus,
  type SelectedCluster,
} from '@flotilla/api';
import type { ClusterGroup } from '@flotilla/ocm';

export interface WantedDecision {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly decisions: readonly SelectedCluster[];
}

export interface WantedDecisions {
  readonly objects: readonly WantedDecision[];
  /** For the status of the Placement. */
  readonly groups: readonly DecisionGroupStatus[];
}

/** Names count from 1 across all groups, indexes of groups from 0. */
export function wantedDecisions(placement: string, groups: readonly ClusterGroup[]): WantedDecisions {
  const objects: WantedDecision[] = [];
  const statuses = groups.map(({ name: groupName, decisions, size }, index): DecisionGroupStatus => {
    const names = decisions.map((list) => {
      const name = `${placement}-decision-${objects.length + 1}`;
      const labels = {
        [ocmPlacementLabel]: placement,
        [decisionGroupNameLabel]: groupName,
        [decisionGroupIndexLabel]: String(index),
      };
      objects.push({ name, labels, decisions: list });
      return name;
    });
    return { decisionGroupIndex: index, decisionGroupName: groupName, decisions: names, clusterCount: size };
  });
  return { objects, groups: statuses };
}
