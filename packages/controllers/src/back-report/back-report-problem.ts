import type { PlacementSpec } from '@flotilla/api';
import { withPlacementDefaults } from '../family/placement-defaults.ts';

/** Whether the statuses of placed objects belong onto the objects on the hub that they were placed from. */
export function reportsToOriginals({ strategy }: PlacementSpec): boolean {
  const { type, destination } = strategy?.reportBackStrategy ?? {};
  return type === 'Mirror' && destination === 'OriginalResource';
}

/** An object on the hub has one status, so it can be in one cluster. Says why it may be in several; undefined if it cannot. */
export function backReportProblem(spec: PlacementSpec): string | undefined {
  const { placementType, clusterNames = [], numberOfClusters } = withPlacementDefaults(spec).policy;
  switch (placementType) {
    case 'PickFixed':
      return clusterNames.length === 1
        ? undefined
        : `the scheduling policy in use is of the PickFixed type, but it has more than one target cluster (${clusterNames.length} clusters); cannot back-report status to original resources`;
    case 'PickN':
      return numberOfClusters === 1
        ? undefined
        : 'the scheduling policy in use is of the PickN type, but the number of target clusters is not set to 1; cannot back-report status to original resources';
    case 'PickAll':
    default:
      return 'the scheduling policy in use is of the PickAll type; cannot back-report status to original resources';
  }
}
