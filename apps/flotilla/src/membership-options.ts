/** How a hub looks after its members: flags that are named, and bounded, as those of KubeFleet's hub agent. */
import type { HubSettings } from '@flotilla/fleet';
import type { Command } from 'commander';
import { duration, yesOrNo, type Yes } from './go-options.ts';

export interface MembershipOptions {
  readonly forceDeleteWaitTime: number;
  readonly clusterUnhealthyThreshold: number;
  readonly networkingAgentsEnabled: Yes;
  readonly enableClusterInventoryApis: Yes;
}

const bounds = { from: 30_000, to: 3_600_000 };

export function addMembershipOptions(command: Command): Command {
  const leave = duration('--force-delete-wait-time', 'how long a member may take to leave', bounds);
  const silence = 'how long a member may be silent and still be called healthy';
  return command
    .addOption(leave.default(900_000, '15m'))
    .addOption(duration('--cluster-unhealthy-threshold', silence, bounds).default(60_000, '1m'))
    .addOption(yesOrNo('--networking-agents-enabled', 'members run the agents of fleet networking, too', 'false'))
    .addOption(yesOrNo('--enable-cluster-inventory-apis', 'show members as ClusterProfiles', 'true'));
}

export function settingsIn(options: MembershipOptions): HubSettings {
  return {
    forceDeleteWaitMs: options.forceDeleteWaitTime,
    unhealthyAfterMs: options.clusterUnhealthyThreshold,
    networkingAgents: options.networkingAgentsEnabled === 'true',
    clusterProfiles: options.enableClusterInventoryApis === 'true',
  };
}
