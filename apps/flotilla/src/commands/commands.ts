import type { Command } from 'commander';
import { apiserverCommand } from './apiserver.ts';
import { backupCommand } from './backup.ts';
import { restoreCommand } from './restore.ts';
import { typesCommand } from './types.ts';

/** Every command, in the order that help prints them. */
export const commands: readonly (() => Command)[] = [apiserverCommand, backupCommand, restoreCommand, typesCommand];
