import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import { programCommand } from './command-line.ts';
import { fleetCommand } from './kubectl-fleet/program.ts';
import { withConnection } from './kubectl-fleet/session.ts';

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  return help;
}

describe('the help', () => {
  for (const command of [programCommand(), fleetCommand(withConnection)].flatMap(withSubcommands)) {
    test(`of ${command.name()} begins with an imperative and ends with an example`, () => {
      assert.match(command.description(), /^[A-Z][a-z]*[^s\s] .*\.$/);
      assert.match(helpOf(command), /\nExamples?:\n(?: {2}.*(?:flotilla|kubectl fleet) .*\n)+$/);
    });
  }
});
