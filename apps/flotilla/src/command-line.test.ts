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

/** Commands and options that the program does not have. */
function unknownIn(program: Command, [name = '', ...rest]: readonly string[]): string[] {
  const found = program.commands.find((command) => [command.name(), ...command.aliases()].includes(name));
  if (found) return unknownIn(found, rest);
  if (program.commands.length > 0 && !name.startsWith('-')) return [name];
  return program.parseOptions([name, ...rest]).unknown.filter((word) => word !== '--help');
}

const isSentence = /^[A-Z][a-z]*[^s\s] .*\.$/;

describe('the help', async () => {
  const program = await programCommand(commandRows.map(({ name }) => name));
  const plugin = fleetCommand(withConnection);
  for (const command of [program, plugin].flatMap(withSubcommands)) {
    test(`of ${command.name()} begins with an imperative and ends with two examples that can be typed`, () => {
      assert.match(command.description(), isSentence);
      const [, examples = ''] = helpOf(command).split('\nExamples:\n');
      const lines = examples.trimEnd().split('\n');
      assert.ok(lines.length >= 2 && new Set(lines).size === lines.length, examples);
      for (const line of lines) {
        const [, name = '', words = ''] = /^ {2}.*?\b(flotilla|kubectl[ -]fleet) ([^>|)]*)/.exec(line) ?? [];
        assert.deepEqual(unknownIn(name === 'flotilla' ? program : plugin, words.trim().split(' ')), [], line);
      }
    });
  }

  test('lists every command in a line of a narrow terminal', () => {
    for (const { name, summary } of commandRows) {
      assert.match(summary, isSentence);
      assert.ok(name.length <= 10 && summary.length <= 64, name);
    }
  });
});
