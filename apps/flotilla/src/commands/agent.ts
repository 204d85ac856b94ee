import { Command } from 'commander';
import { addAgentFlags, type AgentFlags } from '../agent/agent-flags.ts';
import { GoFlagsCommand } from '../agent/go-flags-command.ts';
import type { RefreshFlags } from '../agent/refresh-token.ts';

export function agentCommand(): Command {
  const command = new GoFlagsCommand('agent')
    .description('Runs the agent of one member: it joins a hub, tells how the member is, and applies its Works there.')
    .addHelpText(
      'after',
      "\nThe flags of KubeFleet's member agent are all taken; those that are not listed tune when Works are looked at again.",
    )
    .enablePositionalOptions();
  return addAgentFlags(command)
    .addCommand(refreshTokenCommand())
    .action(async (flags: AgentFlags) => (await import('../agent/run.ts')).runAgent(flags));
}

function refreshTokenCommand(): Command {
  return new Command('refresh-token')
    .description("Keeps the file of the agent's token as fresh as a Secret on the member is.")
    .requiredOption('--name <secret>', 'the Secret, whose key "token" is read')
    .requiredOption('--namespace <name>', 'its namespace')
    .option('--file-path <file>', 'the file', '/config/token')
    .option(
      '--member-kubeconfig <file>',
      'how to reach the member (default: as kubectl does, or the cluster of this pod)',
    )
    .option('--member-context <name>', 'this context of it')
    .action(async (flags: RefreshFlags) => (await import('../agent/refresh-token.ts')).runRefreshToken(flags));
}
