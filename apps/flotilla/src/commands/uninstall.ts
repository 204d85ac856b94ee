import { Command } from 'commander';
import { exampleText } from '../example-text.ts';

export interface UninstallOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function uninstallCommand(): Command {
  return new Command('uninstall')
    .description(
      "Remove the webhooks that `flotilla hub --kubeconfig` installed, their certificates, and its policies. Stop the hub first. The fleet's kinds and objects stay.",
    )
    .option('--kubeconfig <file>', "administrator's kubeconfig of the hub (default: kubectl's)")
    .option('--context <name>', 'context of the kubeconfig (default: its current one)')
    .addHelpText(
      'after',
      exampleText('flotilla uninstall --kubeconfig ~/.kube/config', 'flotilla uninstall --context hub'),
    )
    .action(async (options: UninstallOptions) => (await import('../hub/uninstall.ts')).uninstall(options));
}
