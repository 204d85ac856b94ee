/** Flags that the commands share. Their names are those of kubectl and of KubeFleet's plugin. */
import { Option, type Command } from 'commander';
import { duration } from '../go-options.ts';

export interface HubFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** KubeFleet's name of the same flag. */
  readonly hubClusterContext?: string;
  /** Milliseconds. */
  readonly timeout: number;
}

export interface NamespaceFlag {
  readonly namespace?: string;
}

export interface OutputFlag {
  readonly output?: 'json';
}

const timeouts = { from: 1, to: 86_400_000 };

/** The flags of `flotilla` that say which server is meant. Call it last: they end the list in every help. */
export function addServerFlags(command: Command): Command {
  return command
    .option('--kubeconfig <file>', "kubeconfig of the server (default: that of flotilla up here, then kubectl's)")
    .option('--context <name>', 'context of the server (default: the current one)');
}

/** The same for `kubectl fleet`. */
export function addHubFlags(command: Command): Command {
  return command
    .option('--kubeconfig <file>', "kubeconfig of the hub (default: kubectl's)")
    .addOption(
      new Option('--context <name>', 'context of the hub (default: the current one)').conflicts('hubClusterContext'),
    )
    .option('--hub-cluster-context <name>', 'the same, as KubeFleet names it')
    .addOption(duration('--timeout', 'time after which the command gives up', timeouts).default(5 * 60 * 1000, '5m'));
}

export function addNamespaceFlag(command: Command, description: string): Command {
  return command.option('-n, --namespace <name>', description);
}

export function addOutputFlag(command: Command): Command {
  return command.addOption(new Option('-o, --output <format>', 'output format').choices(['json']));
}
