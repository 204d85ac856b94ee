import { Command } from 'commander';

export function backupCommand(): Command {
  return new Command('backup').description(
    'Copies all that a data directory holds into a file, also while its server runs.',
  );
}
