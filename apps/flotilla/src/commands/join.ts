import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import { millisecondsIn } from '../go-options.ts';

export interface JoinOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly writeKubeconfig?: string;
  readonly image?: string;
  readonly server?: string;
  readonly duration: number;
}

const dayMs = 24 * 60 * 60 * 1000;

export function joinCommand(): Command {
  return new Command('join')
    .description(
      'Register a cluster with a hub and write the kubeconfig of its agent. Run again if its token has expired.',
    )
    .argument('<name>', 'name of the MemberCluster')
    .option(
      '--kubeconfig <file>',
      "administrator's kubeconfig of the hub (default: that of flotilla up here, then kubectl's)",
    )
    .option('--context <name>', 'context of the hub kubeconfig (default: its current one)')
    .option(
      '--write-kubeconfig <file>',
      "kubeconfig to add the agent's access to the hub to (default: NAME.kubeconfig)",
    )
    .option('--image <image>', 'print manifests that run the agent in the member with this image, and write no file')
    .option('--server <url>', 'address of the hub for the agent (default: that of the kubeconfig)')
    .addOption(
      new Option('--duration <duration>', 'lifetime of the token, and of those that the agent renews it with')
        .argParser(millisecondsIn)
        .default(dayMs, '24h'),
    )
    .addHelpText(
      'after',
      exampleText(
        'flotilla join sea --kubeconfig .data/hub/kubeconfig --write-kubeconfig sea.kubeconfig',
        'flotilla join sea --image example.com/member-agent --server https://hub.example.com:6443 > agent.yaml',
      ),
    )
    .action(async (name: string, options: JoinOptions) => (await import('../hub/join.ts')).join(name, options));
}
