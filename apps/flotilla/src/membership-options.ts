/** Flags of the hub's controllers, with the names and ranges of KubeFleet's hub agent. */
import type { HubSettings } from '@flotilla/fleet';
import type { Command } from 'commander';
import { duration, booleanOption, type BooleanText } from './go-options.ts';

export interface MembershipOptions {
  readonly forceDeleteWaitTime: number;
  readonly clusterUnhealthyThreshold: number;
  readonly networkingAgentsEnabled: BooleanText;
  readonly enableClusterInventoryApis: BooleanText;
}

const bounds = { from: 30_000, to: 3_600_000 };

export function addMembershipOptions(command: Command): Command {
  const leave = duration('--force-delete-wait-time', 'time that a member has to leave before it is removed', bounds);
  const threshold = 'time without a heartbeat after which a member is unhealthy';
  return command
    .addOption(leave.default(900_000, '15m'))
    .addOption(duration('--cluster-unhealthy-threshold', threshold, bounds).default(60_000, '1m'))
    .addOption(booleanOption('--networking-agents-enabled', 'members also run the agents of fleet networking', 'false'))
    .addOption(booleanOption('--enable-cluster-inventory-apis', 'keep a ClusterProfile for each member', 'true'));
}

export function settingsIn(options: MembershipOptions): HubSettings {
  return {
    forceDeleteWaitMs: options.forceDeleteWaitTime,
    unhealthyAfterMs: options.clusterUnhealthyThreshold,
    networkingAgents: options.networkingAgentsEnabled === 'true',
    clusterProfiles: options.enableClusterInventoryApis === 'true',
  };
}
