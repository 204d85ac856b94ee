import type { Command } from 'commander';
import { apiserverCommand } from './apiserver.ts';
import { backupCommand } from './backup.ts';
import { envtestCommand } from './envtest.ts';
import { restoreCommand } from './restore.ts';
import { typesCommand } from './types.ts';

/** Every command, in the order that help prints them. Each loads what it needs when it runs. */
export const commands: readonly (() => Command)[] = [
  apiserverCommand,
  backupCommand,
  restoreCommand,
  typesCommand,
  envtestCommand,
];
