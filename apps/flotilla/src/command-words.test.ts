import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { withFlagsAfterCommand } from './command-words.ts';

const program = new Command('flotilla').addCommand(new Command('get'));
program.addCommand(new Command('member').addCommand(new Command('stop')));

const rows: readonly (readonly [typed: string, meant: string])[] = [
  ['get pods -n web', 'get pods -n web'],
  ['-n web get pods', 'get -n web pods'],
  // As kubectl, the last one counts.
  ['-n web get pods -n shop', 'get -n web pods -n shop'],
  ['--context=hub --kubeconfig file member stop get', 'member stop --context=hub --kubeconfig file get'],
  ['--context get get pods', 'get --context get pods'],
  ['--context hub', '--context hub'],
  ['--context', '--context'],
  ['--context hub nothing', '--context hub nothing'],
  ['--version get', '--version get'],
];
for (const [typed, meant] of rows) {
  test(`"flotilla ${typed}" means "flotilla ${meant}"`, () =>
    assert.deepEqual(withFlagsAfterCommand(program, typed.split(' ')), meant.split(' ')));
}
