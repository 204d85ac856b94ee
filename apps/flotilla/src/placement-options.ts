/** Flags of the placement controllers. The first two have the names and ranges of KubeFleet's hub agent; its defaults are 30s and 15s. */
import type { HubSettings } from '@flotilla/fleet';
import type { Command } from 'commander';
import { booleanOption, duration, type BooleanText } from './go-options.ts';

export interface PlacementOptions {
  readonly resourceSnapshotCreationMinimumInterval: number;
  readonly resourceChangesCollectionDuration: number;
  readonly updateRunStuckThreshold: number;
  readonly requireSameStrategy: BooleanText;
}

const interval = 'least time between two resource snapshots of a placement, up to 5m';
const stuck = 'time after which an update run calls a cluster stuck, from 1s to 720h';
const sameStrategy = 'fail an update run if another one of its placement follows another strategy';
const collection = 'time to collect changes of resources into one snapshot, up to 1m';

export function addPlacementOptions(command: Command): Command {
  return command
    .addOption(
      duration('--resource-snapshot-creation-minimum-interval', interval, { from: 0, to: 300_000 }).default(0, '0s'),
    )
    .addOption(duration('--resource-changes-collection-duration', collection, { from: 0, to: 60_000 }).default(0, '0s'))
    .addOption(
      duration('--update-run-stuck-threshold', stuck, { from: 1000, to: 2_592_000_000 }).default(300_000, '5m'),
    )
    .addOption(booleanOption('--require-same-strategy', sameStrategy, 'false'));
}

export function placementSettingsIn(options: PlacementOptions): HubSettings {
  return {
    minSnapshotIntervalMs: options.resourceSnapshotCreationMinimumInterval,
    collectChangesMs: options.resourceChangesCollectionDuration,
    stuckAfterMs: options.updateRunStuckThreshold,
    requiresSameStrategy: options.requireSameStrategy === 'true',
  };
}
