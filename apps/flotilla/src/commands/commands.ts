import type { Command } from 'commander';
import { apiserverCommand } from './apiserver.ts';
import { backupCommand } from './backup.ts';
import { envtestApiserverCommand } from './envtest-apiserver.ts';
import { envtestEtcdCommand } from './envtest-etcd.ts';
import { envtestCommand } from './envtest.ts';
import { restoreCommand } from './restore.ts';
import { typesCommand } from './types.ts';

/** Every command that people type, in the order that help prints them. A command loads what it needs when it runs. */
export const commands: readonly (() => Command)[] = [
  apiserverCommand,
  backupCommand,
  restoreCommand,
  typesCommand,
  envtestCommand,
];

/** What launchers of ours become: no concern of help. */
export const hiddenCommands: readonly (() => Command)[] = [envtestApiserverCommand, envtestEtcdCommand];
