import type { Command } from 'commander';
import { agentCommand } from './agent.ts';
import { apiserverCommand } from './apiserver.ts';
import { backupCommand } from './backup.ts';
import { envtestCommand } from './envtest.ts';
import { hubCommand } from './hub.ts';
import { joinCommand } from './join.ts';
import { restoreCommand } from './restore.ts';
import { typesCommand } from './types.ts';
import { upCommand } from './up.ts';

/** Every command, in the order that help prints them. Each loads what it needs when it runs. */
export const commands: readonly (() => Command)[] = [
  upCommand,
  hubCommand,
  joinCommand,
  agentCommand,
  apiserverCommand,
  backupCommand,
  restoreCommand,
  typesCommand,
  envtestCommand,
];
