/** Flags for what placements can select, with the names of KubeFleet's hub agent. The last one is ours. */
import type { Command } from 'commander';
import { booleanOption, type BooleanText } from './go-options.ts';

export interface SelectionOptions {
  readonly skippedPropagatingApis?: string;
  readonly allowedPropagatingApis?: string;
  readonly skippedPropagatingNamespaces?: string;
  readonly enableWorkload: BooleanText;
  readonly clusterScopedInConfigMaps: BooleanText;
}

export function addSelectionOptions(command: Command): Command {
  return command
    .option('--skipped-propagating-apis <apis>', 'APIs never to place: GROUP[/VERSION[/KIND,KIND]], separated by ;')
    .option('--allowed-propagating-apis <apis>', 'the only APIs to place, in the same form')
    .option('--skipped-propagating-namespaces <names>', 'namespaces never to place, comma-separated')
    .addOption(
      booleanOption(
        '--enable-workload',
        'accept pods and ReplicaSets on the hub, and do not place its volume claims',
        'false',
      ),
    )
    .addOption(
      booleanOption(
        '--cluster-scoped-in-config-maps',
        'ConfigMaps that are envelopes may contain cluster-scoped objects',
        'false',
      ),
    );
}
