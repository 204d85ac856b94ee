import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { clusterStagedUpdateRuns } from '@flotilla/api';
import { Story } from '../placements/story.ts';
import { runFleetCommand } from './fleet-shell.ts';
import { commandsIn, withoutAges } from '../shown-commands.ts';

const root = resolve(import.meta.dirname, '../..');

test('docs/kubectl-fleet.md shows what the commands print', async (t) => {
  const page = readFileSync(resolve(root, 'docs/kubectl-fleet.md'), 'utf8');
  const [updates, next, back, drain] = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const story = await Story.start(t);
  const replay = async (block = ''): Promise<void> => {
    const shown = commandsIn(block, '$ kubectl fleet ');
    assert.notEqual(shown.length, 0);
    for (const { command, lines } of shown) {
      const ended = await runFleetCommand(story, ...command.split(' '));
      assert.deepEqual([withoutAges(ended.lines), ended.error], [withoutAges(lines), undefined], command);
      await story.pass(2);
    }
  };
  const example = readFileSync(resolve(root, 'examples/staged-update/run.yaml'), 'utf8');
  const [content = '', settings = ''] = example.split(/^---$/m);
  await story.apply(example);
  await story.pass(2);
  await replay(updates);
  await story.apply(`${content}---${settings.replace('blue', 'green')}`);
  await replay(next);
  const stop = { type: 'merge' as const, value: { spec: { state: 'Stop' } } };
  await story.hub.patch(clusterStagedUpdateRuns, { name: 'first-2' }, stop);
  await story.settle();
  await replay(back);
  await replay(drain);
});
