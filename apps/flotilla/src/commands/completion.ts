import { Argument, Command } from 'commander';
import { completionScript, shells, type Shell } from '../completion/scripts.ts';
import { exampleText } from '../example-text.ts';
import { print } from '../server-flags.ts';

export function completionCommand(): Command {
  return new Command('completion')
    .description('Print a script that completes commands, flags, kinds and names in a shell.')
    .addArgument(new Argument('<shell>', 'shell that reads the script').choices(shells))
    .addHelpText(
      'after',
      exampleText(
        'source <(flotilla completion bash)',
        'flotilla completion fish > ~/.config/fish/completions/flotilla.fish',
      ),
    )
    .action((shell: Shell) => print(completionScript(shell)));
}
