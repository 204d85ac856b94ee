import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { commandRows } from '../../apps/flotilla/src/command-rows.ts';
import { shownCommands, withoutIdentity } from '../shown-commands.ts';
import { Story } from '../placements/story.ts';
import { runCommand } from './command-shell.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(resolve(root, 'docs/commands.md'), 'utf8');

test('docs/commands.md names every command', () => {
  const missing = commandRows.filter(({ name }) => !page.includes(`\`${name}\``)).map(({ name }) => name);
  assert.deepEqual(missing, []);
});

test('docs/commands.md shows what the commands print', async (t) => {
  const story = await Story.start(t, readFileSync(resolve(root, 'examples/fleets/regions.yaml'), 'utf8'));
  const shown = shownCommands(page, '$ flotilla ');
  assert.equal(shown.length, 8);
  for (const { command, lines } of shown) {
    const inRoot = command.split(' ').map((word) => (word.startsWith('examples/') ? resolve(root, word) : word));
    const ended = await runCommand(story, ...inRoot);
    assert.deepEqual([withoutIdentity(ended.lines), ended.error], [withoutIdentity(lines), undefined], command);
    await story.settle();
  }
});
