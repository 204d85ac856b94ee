import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import { addServerFlags, type HubFlags } from '../session/hub-flags.ts';
import type { WithSession } from '../session/lazy-session.ts';

interface VersionFlags {
  readonly client?: boolean;
  readonly output?: 'json';
}

export function versionCommand(withSession: WithSession): Command {
  const command = new Command('version')
    .description('Print the version of this program, and that of the server.')
    .option('--client', 'only that of this program')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json']));
  return addServerFlags(command)
    .addHelpText('after', exampleText('flotilla version --client', 'flotilla version -o json'))
    .action(async ({ client, output, ...flags }: HubFlags & VersionFlags) => {
      const { printVersion, serverVersion } = await import('../objects/print-version.ts');
      if (client) return printVersion(output);
      let server: string | undefined;
      try {
        await withSession(flags, async (session) => void (server = await serverVersion(session)));
      } finally {
        // Without a server, this program still has a version.
        printVersion(output, server);
      }
    });
}
