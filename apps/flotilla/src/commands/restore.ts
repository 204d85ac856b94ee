import { Command } from 'commander';

export function restoreCommand(): Command {
  return new Command('restore').description('Fills an empty data directory from a backup.');
}
