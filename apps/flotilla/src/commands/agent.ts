import { Command } from 'commander';
import { addAgentFlags, type AgentFlags } from '../agent/agent-flags.ts';
import { GoFlagsCommand } from '../agent/go-flags-command.ts';
import type { RefreshFlags } from '../agent/refresh-token.ts';
import { exampleText } from '../example-text.ts';

export function agentCommand(): Command {
  const command = new GoFlagsCommand('agent')
    .description('Run the agent of one member. It joins the hub, reports heartbeats and properties, and applies Works.')
    .addHelpText(
      'after',
      "\nAll flags of KubeFleet's member agent are accepted. Those that are not listed tune the requeue delays of Works.",
    )
    .addHelpText(
      'after',
      exampleText(
        'flotilla agent --name sea --hub-kubeconfig sea.kubeconfig --member-kubeconfig ~/.kube/config',
        'flotilla agent --name sea --hub-kubeconfig sea.kubeconfig --member-context sea',
      ),
    )
    .enablePositionalOptions();
  return addAgentFlags(command)
    .addCommand(refreshTokenCommand())
    .action(async (flags: AgentFlags) => (await import('../agent/run.ts')).runAgent(flags));
}

function refreshTokenCommand(): Command {
  return new Command('refresh-token')
    .description("Copy the hub's token from a Secret on the member to the agent's file, and keep it up to date.")
    .requiredOption('--name <secret>', 'name of the Secret; its key "token" is read')
    .requiredOption('--namespace <name>', 'namespace of the Secret')
    .option('--file-path <file>', 'file to write', '/config/token')
    .option('--member-kubeconfig <file>', "kubeconfig of the member (default: kubectl's, or the pod's service account)")
    .option('--member-context <name>', 'context of the member kubeconfig (default: its current one)')
    .addHelpText(
      'after',
      exampleText(
        'flotilla agent refresh-token --name hub-kubeconfig-secret --namespace default',
        'flotilla agent refresh-token --name hub-kubeconfig-secret --namespace default --member-context sea',
      ),
    )
    .action(async (flags: RefreshFlags) => (await import('../agent/refresh-token.ts')).runRefreshToken(flags));
}
