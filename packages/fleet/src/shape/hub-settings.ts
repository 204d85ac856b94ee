import { stageList, type HubSettings } from '@flotilla/controllers';
import { milliseconds, type HubShape } from '../file/fleet-shape.ts';

/** What a shape says about the controllers of the hub. */
export function hubSettingsOf(hub: HubShape): HubSettings {
  return {
    forceDeleteWaitMs: milliseconds(hub.forceDeleteWaitTime),
    unhealthyAfterMs: milliseconds(hub.clusterUnhealthyThreshold),
    networkingAgents: hub.networkingAgentsEnabled,
    clusterProfiles: hub.enableClusterInventoryApis,
    controllers: stageList(hub.controllers),
  };
}
