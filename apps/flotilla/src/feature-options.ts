/** Flags that turn off kinds of the fleet, with the names of KubeFleet's hub agent. The API server serves the kinds still. */
import type { Command } from 'commander';
import { booleanOption, type BooleanText } from './go-options.ts';

export interface FeatureOptions {
  readonly enableStagedUpdateRunApis: BooleanText;
  readonly enableEvictionApis: BooleanText;
  readonly enableResourcePlacement: BooleanText;
}

export function addFeatureOptions(command: Command): Command {
  return command
    .addOption(booleanOption('--enable-staged-update-run-apis', 'run staged updates', 'true'))
    .addOption(booleanOption('--enable-eviction-apis', 'evict placements from clusters', 'true'))
    .addOption(booleanOption('--enable-resource-placement', 'place what ResourcePlacements select', 'true'));
}
