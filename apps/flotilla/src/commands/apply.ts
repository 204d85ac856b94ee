import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import type { ApplyFlags } from '../objects/apply.ts';
import { filenames } from '../objects/selection-flags.ts';
import { addServerFlags, type HubFlags } from '../session/hub-flags.ts';
import type { WithSession } from '../session/lazy-session.ts';

export function applyCommand(withSession: WithSession): Command {
  const command = new Command('apply')
    .description('Create or change the objects in files with server-side apply.')
    .requiredOption('-f, --filename <path>', 'file or folder with YAML or JSON; - reads standard input', filenames)
    .option('-R, --recursive', 'read the folders below, too')
    .option('-n, --namespace <name>', 'namespace of objects that name none (default: that of the context)')
    .option('--force-conflicts', 'take over fields that other managers have set')
    .option('--field-manager <name>', 'owner of the fields in the files', 'flotilla')
    .addOption(new Option('--dry-run [strategy]', 'print what would change').choices(['server']).preset('server'))
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json', 'yaml', 'name']));
  return addServerFlags(command)
    .addHelpText('after', exampleText('flotilla apply -f web.yaml', 'cat web.yaml | flotilla apply -n shop -f -'))
    .action((flags: HubFlags & ApplyFlags) =>
      withSession(flags, async (session) => (await import('../objects/apply.ts')).applyManifests(session, flags)),
    );
}
