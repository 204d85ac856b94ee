import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import { programCommand } from './command-line.ts';
import { commandRows } from './command-rows.ts';
import { fleetCommand } from './kubectl-fleet/program.ts';
import { withConnection } from './session/session.ts';

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  return help;
}

const isSentence = /^[A-Z][a-z]*[^s\s] .*\.$/;

describe('the help', async () => {
  const program = await programCommand(commandRows.map(({ name }) => name));
  for (const command of [program, fleetCommand(withConnection)].flatMap(withSubcommands)) {
    test(`of ${command.name()} begins with an imperative and ends with an example`, () => {
      assert.match(command.description(), isSentence);
      assert.match(helpOf(command), /\nExamples?:\n(?: {2}.*(?:flotilla|kubectl fleet) .*\n)+$/);
    });
  }

  test('lists every command in a line of a narrow terminal', () => {
    for (const { name, summary } of commandRows) {
      assert.match(summary, isSentence);
      assert.ok(name.length <= 10 && summary.length <= 64, name);
    }
  });
});
