import { parseTaint, stageList, type HubSettings } from '@flotilla/controllers';
import { milliseconds, type HubShape } from '../file/fleet-shape.ts';

/** What a shape says about the controllers of the hub. */
export function hubSettingsOf(hub: HubShape): HubSettings {
  return {
    forceDeleteWaitMs: milliseconds(hub.forceDeleteWaitTime),
    unhealthyAfterMs: milliseconds(hub.clusterUnhealthyThreshold),
    networkingAgents: hub.networkingAgentsEnabled,
    clusterProfiles: hub.enableClusterInventoryApis,
    minSnapshotIntervalMs: milliseconds(hub.resourceSnapshotCreationMinimumInterval),
    collectChangesMs: milliseconds(hub.resourceChangesCollectionDuration),
    controllers: stageList(hub.controllers),
    ...taintOf(hub),
  };
}

/** The file was checked when it was read. */
function taintOf({ newMemberTaint }: HubShape): Pick<HubSettings, 'newMemberTaint'> {
  const parsed = newMemberTaint === undefined ? undefined : parseTaint(newMemberTaint);
  return parsed && 'taint' in parsed ? { newMemberTaint: parsed.taint } : {};
}
