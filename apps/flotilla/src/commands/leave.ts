import { Command } from 'commander';
import { exampleText } from '../example-text.ts';
import { duration } from '../go-options.ts';

export interface LeaveOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Milliseconds. */
  readonly timeout: number;
}

const defaultTimeoutMs = 20 * 60_000;

export function leaveCommand(): Command {
  return new Command('leave')
    .description(
      'Remove a cluster from a hub, and end the credential of its agent. Placed objects stay on the cluster.',
    )
    .argument('<name>', 'name of the MemberCluster')
    .option(
      '--kubeconfig <file>',
      "administrator's kubeconfig of the hub (default: that of flotilla up here, then kubectl's)",
    )
    .option('--context <name>', 'context of the hub kubeconfig (default: its current one)')
    .addOption(
      duration('--timeout', 'time to wait until the cluster has left', { from: 1000, to: 86_400_000 }).default(
        defaultTimeoutMs,
        '20m',
      ),
    )
    .addHelpText(
      'after',
      exampleText('flotilla leave sea', 'flotilla leave sea --kubeconfig hub.kubeconfig --timeout 1m'),
    )
    .action(async (name: string, options: LeaveOptions) => (await import('../hub/leave.ts')).leave(name, options));
}
