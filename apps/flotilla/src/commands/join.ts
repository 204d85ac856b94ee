import { Command } from 'commander';
import { millisecondsIn } from '../go-options.ts';

export interface JoinOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly writeKubeconfig: string;
  readonly duration: number;
}

const day = 24 * 60 * 60 * 1000;

export function joinCommand(): Command {
  return new Command('join')
    .description('Makes a cluster known to a hub and writes what its agent needs; once more renews its token.')
    .argument('<name>', "the member's name on the hub")
    .option('--kubeconfig <file>', "an administrator's access to the hub (default: as kubectl has it)")
    .option('--context <name>', 'this context of it')
    .requiredOption('--write-kubeconfig <file>', "put the agent's access to the hub into this kubeconfig")
    .option('--duration <duration>', 'how long the token lasts', millisecondsIn, day)
    .action(async (name: string, options: JoinOptions) => (await import('../hub/join.ts')).join(name, options));
}
