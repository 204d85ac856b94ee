/** The conditions of a placement whose rollout is left to update runs: clusters may have different versions of the resources. */
import { conditionOf, perClusterConditions, placementReasons, type PerClusterStatus } from '@flotilla/api';
import { isMaster } from '../../family/latest-snapshot.ts';
import { externalTexts, type RolloutAspect } from './condition-texts.ts';
import { rolloutAspects, type PlacementConditions } from './placement-conditions.ts';
import { indexTextOf } from './snapshot-identifiers.ts';
import type { Contents, StatusState } from './status-state.ts';

/** Sets the conditions after Scheduled. Returns which resources the clusters have: none if they have different ones. */
export function setExternalRollout(
  { family, snapshots = [], resourcesIn = () => [] }: StatusState,
  expected: readonly RolloutAspect[],
  clusters: readonly PerClusterStatus[],
  conditions: PlacementConditions,
): Contents {
  const [first = '', ...others] = new Set(clusters.map(({ observedResourceIndex = '' }) => observedResourceIndex));
  if (others.length > 0 || first === '') {
    setUnknown(conditions, others.length > 0 ? externalTexts.differs : externalTexts.none(family.updateRun.kind));
    return { observedResourceIndex: '', selectedResources: [] };
  }
  const undecided = clusters.find(isUndecided);
  if (undecided === undefined) conditions.setRollout(expected, clusters);
  else setUnknown(conditions, externalTexts.unknownOn(undecided.clusterName ?? ''));
  const master = snapshots.find((snapshot) => isMaster(snapshot) && indexTextOf(snapshot) === first);
  return { observedResourceIndex: first, selectedResources: master === undefined ? [] : resourcesIn(master) };
}

function setUnknown(conditions: PlacementConditions, message: string): void {
  conditions.set('rolloutStarted', 'Unknown', { reason: placementReasons.rolloutExternal, message });
  conditions.remove(rolloutAspects.filter((aspect) => aspect !== 'rolloutStarted'));
}

function isUndecided({ conditions }: PerClusterStatus): boolean {
  return conditionOf(conditions, perClusterConditions.rolloutStarted)?.status === 'Unknown';
}
