/** Flags of the placement controllers, with the names and ranges of KubeFleet's hub agent. Its defaults are 30s and 15s. */
import type { HubSettings } from '@flotilla/fleet';
import type { Command } from 'commander';
import { duration } from './go-options.ts';

export interface PlacementOptions {
  readonly resourceSnapshotCreationMinimumInterval: number;
  readonly resourceChangesCollectionDuration: number;
}

const interval = 'least time between two resource snapshots of a placement, up to 5m';
const collection = 'time to collect changes of resources into one snapshot, up to 1m';

export function addPlacementOptions(command: Command): Command {
  return command
    .addOption(
      duration('--resource-snapshot-creation-minimum-interval', interval, { from: 0, to: 300_000 }).default(0, '0s'),
    )
    .addOption(
      duration('--resource-changes-collection-duration', collection, { from: 0, to: 60_000 }).default(0, '0s'),
    );
}

export function placementSettingsIn(options: PlacementOptions): HubSettings {
  return {
    minSnapshotIntervalMs: options.resourceSnapshotCreationMinimumInterval,
    collectChangesMs: options.resourceChangesCollectionDuration,
  };
}
