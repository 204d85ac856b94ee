import { Command } from 'commander';
import { exampleText } from '../example-text.ts';
import { version } from '../version.ts';
import { print } from '../server-flags.ts';

export function versionCommand(): Command {
  return new Command('version')
    .description('Print the version.')
    .addHelpText('after', exampleText('kubectl fleet version', 'kubectl-fleet version'))
    .action(() => print(`kubectl-fleet ${version} (unknown)`));
}
